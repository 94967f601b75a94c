import { sql } from 'kysely';
import { takeTurn } from '../store/in-turn.ts';
import { listedIntegers } from '../store/listed.ts';
import type { LogStore, LogWriting } from '../store/log-store.ts';
import { toFirstNumber } from '../store/record-number.ts';
import { toPairs } from './kept-facts.ts';
import { addBytes } from './write-records.ts';

/** How many records are deleted at once. */
const stepRecords = 500;

interface Found {
  readonly number: number;
  readonly facts: number;
  readonly labels: number | null;
  readonly block: number;
}

interface Block {
  readonly number: number;
  readonly remaining: number;
  readonly bytes: number;
}

/** The first ones, until they have so many bytes together, but one at least. */
export const takeFirst = <Item>(
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

const countBy = (values: readonly number[]): ReadonlyMap<number, number> => {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
};

/** Takes records out of their blocks, which go with their last one. Resolves with the bytes that they had. */
const leaveBlocks = async (
  writing: LogWriting,
  kind: LogStore['kind'],
  { records, blocks }: { readonly records: readonly Found[]; readonly blocks: ReadonlyMap<number, Block> },
): Promise<number> => {
  const empty: number[] = [];
  let freed = 0;
  for (const [number, count] of countBy(records.map(({ block }) => block))) {
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

/** Deletes what records had in common, where no other has it. */
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

/**
 * Deletes some of the oldest records: of those before a time, in milliseconds since the epoch, no more than have so many bytes,
 * but one at least. Resolves with how many there were.
 */
export const deleteOldestRecords = async (
  writing: LogWriting,
  kind: LogStore['kind'],
  {
    time = Number.POSITIVE_INFINITY,
    bytes = Number.POSITIVE_INFINITY,
  }: { readonly time?: number; readonly bytes?: number },
): Promise<number> => {
  await takeTurn(writing, kind);
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
