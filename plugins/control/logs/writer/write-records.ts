import { type RawBuilder, sql } from 'kysely';
import { startOfHour } from '../../../../schema/durations.ts';
import { type RowValues, rowInserter, toRowValues } from '../../kernel/store/rows/row-inserter.ts';
import { addCounts, addedUp, addingUp, type SummedColumn } from './hour-sums.ts';
import { cleanText, SharedFacts } from './kept-facts.ts';
import {
  type LogRow,
  type LogStore,
  type LogWriting,
  lockForWriting,
  logColumns,
  type RecordRow,
} from './log-store.ts';
import { idBytes, traceBytes, traceKey, tracePart } from './stored-id.ts';
import type { NewRecord } from './to-record.ts';
import { type Alike, HourSplits } from './write-splits.ts';
import { type NumberedRecord, RecordNumbers, WrittenBlocks } from './written-blocks.ts';

export type HourRow = LogRow<'log_hours'>;

const toDimensions = (record: RecordRow) => ({
  workspace_id: record.workspace_id,
  hour: startOfHour(record.created_at),
  key_id: record.key_id ?? '',
  config: record.config ?? '',
  prompt: record.prompt ?? '',
  provider: record.provider ?? '',
  model: record.model ?? '',
  status: record.status,
});

/** The sums of an hour. */
type Sums = Pick<HourRow, SummedColumn | 'most_micros'>;

/** The sums of an hour without requests. */
const noSums: Sums = {
  ...{ requests: 0, errors: 0, micros: 0, most_micros: 0, input_tokens: 0, output_tokens: 0, cost: 0 },
  ...{ cache_hits: 0, cache_misses: 0 },
};

/** Lists the hourly sums that analytics use, sorted, so that processes do not deadlock. */
const toHourRows = (all: Iterable<Alike>): readonly HourRow[] => {
  const rows = new Map<string, HourRow>();
  for (const { record, sums } of all) {
    const dimensions = toDimensions(record);
    const key = JSON.stringify(dimensions);
    const row = rows.get(key) ?? { ...dimensions, ...noSums };
    addCounts(row, sums, addedUp);
    rows.set(key, row);
  }
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
};

/** The key of the sums of an hour. */
export const hourKey: RawBuilder<unknown> = sql.raw(
  'workspace_id, hour, key_id, config, prompt, provider, model, status',
);

const mergeHours = sql`(${hourKey}) do update set ${sql.join(addingUp('log_hours', addedUp))}`;

const insertRows = rowInserter('log_rows', { columns: logColumns.log_rows, merge: 'refuse' });
const insertBodies = rowInserter('log_bodies', { columns: logColumns.log_bodies, merge: 'refuse' });
const insertMoved = rowInserter('log_moved', { columns: logColumns.log_moved, merge: 'refuse' });
const addToHours = rowInserter('log_hours', { columns: logColumns.log_hours, merge: () => mergeHours });
const addToTotals = rowInserter('log_totals', {
  columns: logColumns.log_totals,
  merge: () => sql`(name) do update set value = log_totals.value + excluded.value`,
});

/** Adds to the total size of all records. */
export const addBytes = async (writing: LogWriting, kind: LogStore['kind'], bytes: number): Promise<void> => {
  await addToTotals(writing, kind, [['bytes', bytes]]);
};

/** Sorts records by id. Most records are already sorted. */
const inOrder = (records: readonly NewRecord[]): readonly NewRecord[] => {
  let last = '';
  for (const { record } of records) {
    if (record.id < last) return records.toSorted(({ record: a }, { record: b }) => (a.id < b.id ? -1 : 1));
    last = record.id;
  }
  return records;
};

/** Numbers records in the order of their ids, and returns them in their own order. Existing records are omitted. */
const numbered = async (numbers: RecordNumbers, records: readonly NewRecord[]): Promise<readonly NumberedRecord[]> => {
  const sorted = inOrder(records);
  const given = await numbers.give(sorted);
  if (sorted === records) return given;
  const byRow = new Map(given.map((each) => [each.record, each]));
  return records.flatMap(({ record }) => byRow.get(record) ?? []);
};

const rowOf = ({ record }: NewRecord): RecordRow => record;

interface Writers {
  readonly numbers: RecordNumbers;
  readonly common: SharedFacts;
  readonly blocks: WrittenBlocks;
}

/** Inserts the rows of some records, and collects their details. */
const insertPart = async (
  writing: LogWriting,
  part: readonly NewRecord[],
  { kind, numbers, common, blocks, splits }: Writers & { kind: LogStore['kind']; splits: HourSplits | undefined },
): Promise<void> => {
  const records = await numbered(numbers, part);
  const known = await common.keep(records.map(rowOf));
  const values: RowValues[] = [];
  const bodies: RowValues[] = [];
  const moved: RowValues[] = [];
  let at = 0;
  for (const { record, detail, number, isMoved } of records) {
    const { facts = 0, labels = null } = known[at] ?? {};
    at += 1;
    const id = idBytes(record.id);
    const trace = cleanText(record.trace_id);
    const { block, place } = blocks.add(detail.detail, { number, bytes: record.bytes });
    values.push([
      number,
      id,
      facts,
      labels,
      traceBytes(trace),
      traceKey(tracePart(block), trace),
      record.micros,
      record.input_tokens,
      record.output_tokens,
      record.cost,
      block,
      place,
    ]);
    if (detail.bodies !== null) bodies.push([number, detail.bodies]);
    if (isMoved) moved.push([id, number]);
    if (record.source === 'gateway') splits?.add(record, facts, labels);
  }
  await insertRows(writing, kind, values);
  await insertBodies(writing, kind, bodies);
  await insertMoved(writing, kind, moved);
};

interface InsertOptions {
  readonly kind: LogStore['kind'];
  readonly areNew: boolean;
  /** The names of the labels that have hourly sums. */
  readonly labels?: readonly string[];
}

/**
 * Inserts records, a limited number at a time, with their hourly sums and their size. Records that already exist are skipped. New
 * records are added to their hourly sums; records of an earlier version are already included in them.
 */
export const insertRecords = async (
  writing: LogWriting,
  parts: Iterable<readonly NewRecord[]>,
  { kind, areNew, labels = [] }: InsertOptions,
): Promise<void> => {
  const splits = areNew ? new HourSplits(labels) : undefined;
  let writers: Writers | undefined;
  for (const part of parts) {
    if (part.length === 0) continue;
    if (writers === undefined) {
      await lockForWriting(writing, kind);
      writers = {
        numbers: await RecordNumbers.of(writing),
        common: new SharedFacts(writing, kind),
        blocks: await WrittenBlocks.of(writing, { kind, areNew }),
      };
    }
    await insertPart(writing, part, { kind, splits, ...writers });
  }
  if (writers === undefined) return;
  await writers.blocks.write();
  if (splits !== undefined) {
    const rows = toHourRows(splits.alike()).map((row) => toRowValues(logColumns.log_hours, row, cleanText));
    await addToHours(writing, kind, rows);
    await splits.write(writing, kind, cleanText);
  }
  // Last, because every process changes this row.
  await addBytes(writing, kind, writers.blocks.bytes);
};

/** Writes records in a transaction of their own. */
export const writeRecords = (
  store: Pick<LogStore, 'kind' | 'write'>,
  records: readonly NewRecord[],
  labels: readonly string[] = [],
): Promise<void> =>
  store.write((writing) => insertRecords(writing, [records], { kind: store.kind, areNew: true, labels }));
