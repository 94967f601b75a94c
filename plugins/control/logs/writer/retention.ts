import { sql } from 'kysely';
import { deleteLogRows } from '../store/log-rows.ts';
import { journalShare, type LogStore, type LogWriting } from '../store/log-store.ts';
import { addBytes, labelRows } from './write-records.ts';

/** What is kept: records for so many days, and no more than so many bytes of them, the journal of a file included. */
export interface Kept {
  readonly days: number;
  readonly bytes: number;
}

const dayMs = 86_400_000;
/** Hours outlast their records: they are small, and people compare years. */
const hourDays = 400;
/** How many records are deleted at once. */
const stepRecords = 500;
const stepHours = 2000;
/** Deleting goes on until so much of the size is left, so that it does not begin anew at once. */
const leftShare = 0.95;

/** Any number, which the process locks that deletes: "gw" and "lr" as bytes. */
const deletingLock = 0x67776c72;

/** The smallest UUID of version 7 of a time, in milliseconds since the epoch. */
export const firstIdOf = (time: number): string => {
  const digits = Math.max(0, Math.floor(time)).toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-000000000000`;
};

/** Whether this process may delete; others go on meanwhile. */
const mayDelete = async (writing: LogWriting, kind: LogStore['kind']): Promise<boolean> => {
  if (kind === 'sqlite') return true;
  const { rows } = await sql<{
    taken: boolean;
  }>`select pg_try_advisory_xact_lock(${sql.lit(deletingLock)}) as taken`.execute(writing);
  return rows[0]?.taken === true;
};

interface Oldest {
  /** Only records before this id. */
  readonly before?: string;
  /** No more than have so many bytes, but one at least. */
  readonly bytes?: number;
}

/** The first ones, until they have so many bytes together. */
const firstOf = <Item extends { readonly bytes: number }>(items: readonly Item[], bytes: number): readonly Item[] => {
  let sum = 0;
  const last = items.findIndex((item) => {
    sum += item.bytes;
    return sum >= bytes;
  });
  return last === -1 ? items : items.slice(0, last + 1);
};

/** Deletes the oldest records. Resolves with how many there were. */
const deleteOldest = (
  { kind, write }: LogStore,
  { before, bytes: most = Number.POSITIVE_INFINITY }: Oldest,
): Promise<number> =>
  write(async (writing) => {
    if (!(await mayDelete(writing, kind))) return 0;
    const oldest = writing.selectFrom('log_details').select(['id', 'workspace_id']).orderBy('id').limit(stepRecords);
    const found = await (before === undefined ? oldest : oldest.where('id', '<', before)).execute();
    if (found.length === 0) return 0;
    const sized = await writing
      .selectFrom('log_records')
      .select(['workspace_id', 'id', 'metadata', 'bytes'])
      .where('workspace_id', 'in', [...new Set(found.map((each) => each.workspace_id))])
      .where(
        'id',
        'in',
        found.map(({ id }) => id),
      )
      .execute();
    const byId = new Map(sized.map((record) => [record.id, record]));
    const ids = firstOf(
      found.map((each) => ({ ...each, bytes: byId.get(each.id)?.bytes ?? 0 })),
      most,
    );
    const records = ids.flatMap(({ id }) => byId.get(id) ?? []);
    const labels = records.flatMap(labelRows);
    await deleteLogRows(writing, 'log_labels', {
      kind,
      rows: labels,
      columns: ['workspace_id', 'name', 'value', 'id'],
    });
    await deleteLogRows(writing, 'log_records', { kind, rows: ids, columns: ['workspace_id', 'id'] });
    await deleteLogRows(writing, 'log_details', { kind, rows: ids, columns: ['id'] });
    await addBytes(writing, kind, -records.reduce((sum, { bytes }) => sum + bytes, 0));
    return ids.length;
  });

const deleteHours = ({ kind, write }: LogStore, before: number): Promise<number> =>
  write(async (writing) => {
    if (!(await mayDelete(writing, kind))) return 0;
    const key = ['workspace_id', 'hour', 'key_id', 'config', 'prompt', 'provider', 'model', 'status'] as const;
    const rows = await writing
      .selectFrom('log_hours')
      .select(key)
      .where('hour', '<', before)
      .orderBy('hour')
      .limit(stepHours)
      .execute();
    await deleteLogRows(writing, 'log_hours', { kind, rows, columns: key });
    return rows.length;
  });

const deleteFeedback = ({ write }: LogStore, before: number): Promise<void> =>
  write(async (writing) => {
    await writing.deleteFrom('log_feedback').where('created_at', '<', before).execute();
  });

export interface RetentionOptions {
  readonly store: LogStore;
  readonly kept: Kept;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Waits between two steps, so that others get their turn; resolves with whether to go on. */
  readonly pause: () => Promise<boolean>;
}

/** Deletes what is too old, then the oldest until the rest is small enough. Rejects as the store does. */
export const retain = async ({ store, kept, now, pause }: RetentionOptions): Promise<void> => {
  const oldest = now - kept.days * dayMs;
  while ((await deleteOldest(store, { before: firstIdOf(oldest) })) > 0) if (!(await pause())) return;
  while ((await deleteHours(store, now - Math.max(hourDays, kept.days) * dayMs)) > 0) if (!(await pause())) return;
  await deleteFeedback(store, oldest);
  const mostBytes = kept.bytes - Math.min(store.journalBytes, kept.bytes * journalShare);
  if ((await store.size()) > mostBytes) {
    const enough = mostBytes * leftShare;
    for (let over = (await store.size()) - enough; over > 0; over = (await store.size()) - enough) {
      if ((await deleteOldest(store, { bytes: over })) === 0) break;
      if (!(await pause())) return;
    }
    // Nothing but hours is left, of too many kinds.
    while ((await store.size()) > enough && (await deleteHours(store, now)) > 0) if (!(await pause())) return;
  }
  await store.shrink();
  // As long as that helps: another process that reads keeps a journal as it is.
  for (let before = Number.POSITIVE_INFINITY, now = await store.fileBytes(); now > kept.bytes && now < before; ) {
    if (!(await pause())) return;
    await store.shrink();
    before = now;
    now = await store.fileBytes();
  }
};
