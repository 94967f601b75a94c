import { sql } from 'kysely';
import { dayMs } from '../../../../schema/durations.ts';
import { takeRecordsBefore } from './convert-earlier.ts';
import { toPairs } from './kept-facts.ts';
import {
  journalShare,
  type LogRow,
  type LogStore,
  type LogWriting,
  listedIntegers,
  lockForWriting,
} from './log-store.ts';
import { toFirstId, toFirstNumber } from './stored-id.ts';
import { addBytes, hourKey } from './write-records.ts';
import { splitKey } from './write-splits.ts';

/** The number of records that are deleted at once. */
const stepRecords = 500;

type Found = Pick<LogRow<'log_rows'>, 'number' | 'facts' | 'labels' | 'block'>;
type Block = Pick<LogRow<'log_blocks'>, 'number' | 'remaining' | 'bytes'>;

/** Takes items from the beginning up to a total size, but at least one. */
const takeFirst = <Item>(
  items: readonly Item[],
  countBytes: (item: Item) => number,
  bytes: number,
): readonly Item[] => {
  let sum = 0;
  const last = items.findIndex((item) => {
    sum += countBytes(item);
    return sum >= bytes;
  });
  return last === -1 ? items : items.slice(0, last + 1);
};

/** Removes records from their blocks, and deletes blocks without records. Resolves to the size of the removed records. */
const leaveBlocks = async (
  writing: LogWriting,
  kind: LogStore['kind'],
  { records, blocks }: { readonly records: readonly Found[]; readonly blocks: ReadonlyMap<number, Block> },
): Promise<number> => {
  const empty: number[] = [];
  let freed = 0;
  for (const [number, { length: count }] of Map.groupBy(records, ({ block }) => block)) {
    const { remaining, bytes } = blocks.get(number) ?? { remaining: count, bytes: 0 };
    const part = count >= remaining ? bytes : Math.floor((bytes * count) / remaining);
    freed += part;
    if (count >= remaining) empty.push(number);
    else
      await writing
        .updateTable('log_blocks')
        .set({ remaining: remaining - count, bytes: bytes - part })
        .where('number', '=', number)
        .execute();
  }
  await sql`delete from log_blocks where number in ${listedIntegers(kind, empty)}`.execute(writing);
  return freed;
};

/** Deletes shared values that no other record has. */
const deleteUnused = async (writing: LogWriting, kind: LogStore['kind'], records: readonly Found[]): Promise<void> => {
  const facts = listedIntegers(kind, [...new Set(records.map((record) => record.facts))]);
  await sql`delete from log_facts where number in ${facts}
    and not exists (select 1 from log_rows where log_rows.facts = log_facts.number)`.execute(writing);
  const used = [...new Set(records.flatMap(({ labels }) => labels ?? []))];
  const { rows } = await sql<{ readonly number: number; readonly workspace_id: string; readonly metadata: string }>`
    select number, workspace_id, metadata from log_label_sets where number in ${listedIntegers(kind, used)}
    and not exists (select 1 from log_rows where log_rows.labels = log_label_sets.number)`.execute(writing);
  if (rows.length === 0) return;
  const sets = listedIntegers(
    kind,
    rows.map(({ number }) => number),
  );
  const pairs = [...new Set(rows.flatMap(({ workspace_id, metadata }) => toPairs(workspace_id, metadata)))];
  await sql`delete from log_label_pairs where pair in ${listedIntegers(kind, pairs)} and labels in ${sets}`.execute(
    writing,
  );
  await sql`delete from log_label_sets where number in ${sets}`.execute(writing);
};

interface Oldest {
  /** Only records before this time are deleted, in milliseconds since the epoch. */
  readonly time?: number | undefined;
  /** Records of at most this many bytes are deleted, but at least one. */
  readonly bytes?: number;
}

/**
 * Deletes some of the oldest records: of those before a time, in milliseconds since the epoch, at most as many as fit into a
 * number of bytes, but at least one. Resolves to the number of deleted records.
 */
const deleteOldestRecords = async (
  writing: LogWriting,
  kind: LogStore['kind'],
  { time = Number.POSITIVE_INFINITY, bytes }: Oldest & { readonly bytes: number },
): Promise<number> => {
  await lockForWriting(writing, kind);
  const found = await writing
    .selectFrom('log_rows')
    .select(['number', 'facts', 'labels', 'block'])
    .where('number', '<', toFirstNumber(time))
    .orderBy('number')
    .limit(stepRecords)
    .execute();
  const { rows } = await sql<Block>`select number, remaining, bytes from log_blocks
    where number in ${listedIntegers(kind, [...new Set(found.map(({ block }) => block))])}`.execute(writing);
  const blocks = new Map(rows.map((block) => [block.number, block]));
  const countBytes = ({ block }: Found): number => {
    const { bytes: all, remaining } = blocks.get(block) ?? { bytes: 0, remaining: 1 };
    return all / remaining;
  };
  const records = takeFirst(found, countBytes, bytes);
  const last = records.at(-1);
  if (last === undefined) return 0;
  for (const table of ['log_rows', 'log_bodies', 'log_moved'] as const)
    await writing.deleteFrom(table).where('number', '<=', last.number).execute();
  const freed = await leaveBlocks(writing, kind, { records, blocks });
  await deleteUnused(writing, kind, records);
  await addBytes(writing, kind, -freed);
  return records.length;
};

/** The limits of the log: how many days records are stored, and the maximum size in bytes, including the journal of a file. */
export interface RetentionLimits {
  readonly days: number;
  readonly bytes: number;
}

/** Hourly sums are stored longer than records, because they are small, and people compare years. */
const hourDays = 400;
const stepHours = 2000;
/** The share of the maximum size that remains after deleting, so that deleting does not start again immediately. */
const leftShare = 0.95;

/** An arbitrary lock number for the process that deletes: "gw" and "lr" as bytes. */
const deletingLock = 0x67776c72;

/** Deletes rows unless another process is doing so; that one continues. Resolves to the number of deleted rows. */
const deleteAlone = ({ kind, write }: LogStore, run: (writing: LogWriting) => Promise<number>): Promise<number> =>
  write(async (writing) => {
    const lock = sql<{ taken: boolean }>`select pg_try_advisory_xact_lock(${sql.lit(deletingLock)}) as taken`;
    const mayDelete = kind === 'sqlite' || (await lock.execute(writing)).rows[0]?.taken === true;
    return mayDelete ? run(writing) : 0;
  });

/**
 * Deletes the oldest records. Those of an earlier version are older than all others and are deleted first. Resolves to the number
 * of deleted records.
 */
const deleteOldest = (store: LogStore, { time, bytes = Number.POSITIVE_INFINITY }: Oldest): Promise<number> =>
  deleteAlone(store, async (writing) => {
    const before = await takeRecordsBefore(writing, store.kind, {
      first: 'oldest',
      before: time === undefined ? undefined : toFirstId(time),
      choose: (found) => takeFirst(found, (record) => record.bytes, bytes),
    });
    return before.length > 0 ? before.length : deleteOldestRecords(writing, store.kind, { time, bytes });
  });

const deleteHours = (store: LogStore, before: number): Promise<number> =>
  deleteAlone(store, async (writing) => {
    let deleted = 0;
    for (const [table, key] of [
      ['log_hours', hourKey],
      ['log_splits', splitKey],
    ] as const) {
      const { numAffectedRows = 0n } = await sql`delete from ${sql.table(table)} where (${key}) in (
        select ${key} from ${sql.table(table)} where hour < ${before} order by hour limit ${stepHours})`.execute(
        writing,
      );
      deleted += Number(numAffectedRows);
    }
    return deleted;
  });

/** The maximum number of rows: a hundred thousand copied requests, and their copies. */
const maxArms = 200_000;

/** The maximum number of feedback rows, of guardrails and of callers. */
const maxFeedback = 1_000_000;

/** Deletes the rows of a table that are too old, or exceed its maximum number. */
const deleteRows = async (
  store: LogStore,
  {
    table,
    before,
    max,
  }: { readonly table: 'log_arms' | 'log_feedback'; readonly before: number; readonly max: number },
): Promise<void> => {
  await store.write(async (writing) => {
    await writing.deleteFrom(table).where('created_at', '<', before).execute();
    const last = await writing
      .selectFrom(table)
      .select('created_at')
      .orderBy('created_at', 'desc')
      .offset(max)
      .limit(1)
      .executeTakeFirst();
    if (last !== undefined) await writing.deleteFrom(table).where('created_at', '<=', last.created_at).execute();
  });
};

/**
 * Deletes expired data at a time, in milliseconds since the epoch, and then the oldest data until the rest is small enough.
 * Between two steps it pauses, so that others get their turn, and continues if `pause` resolves to true. Rejects like the store.
 */
export const enforceRetention = async ({
  store,
  kept,
  now,
  pause,
}: {
  readonly store: LogStore;
  readonly kept: RetentionLimits;
  readonly now: number;
  readonly pause: () => Promise<boolean>;
}): Promise<void> => {
  const oldest = now - kept.days * dayMs;
  while ((await deleteOldest(store, { time: oldest })) > 0) if (!(await pause())) return;
  while ((await deleteHours(store, now - Math.max(hourDays, kept.days) * dayMs)) > 0) if (!(await pause())) return;
  await deleteRows(store, { table: 'log_feedback', before: oldest, max: maxFeedback });
  await deleteRows(store, { table: 'log_arms', before: oldest, max: maxArms });
  const maxBytes = kept.bytes - Math.min(store.journalBytes, kept.bytes * journalShare);
  if ((await store.size()) > maxBytes) {
    const enough = maxBytes * leftShare;
    for (let over = (await store.size()) - enough; over > 0; over = (await store.size()) - enough) {
      if ((await deleteOldest(store, { bytes: over })) === 0) break;
      if (!(await pause())) return;
    }
    // Only hourly sums are left, with too many kinds of requests.
    while ((await store.size()) > enough && (await deleteHours(store, now)) > 0) if (!(await pause())) return;
  }
  await store.shrink();
  // Repeated as long as it helps, because another process that reads keeps the journal from shrinking.
  for (let before = Number.POSITIVE_INFINITY, now = await store.fileBytes(); now > kept.bytes && now < before; ) {
    if (!(await pause())) return;
    await store.shrink();
    before = now;
    now = await store.fileBytes();
  }
};
