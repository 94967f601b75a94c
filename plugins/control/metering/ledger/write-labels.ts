import { sql } from 'kysely';
import { startOfDay, startOfHour } from '../../../../schema/durations.ts';
import { fromJson } from '../../../../schema/json/from-json.ts';
import { inChunks } from '../../kernel/store/rows/in-chunks.ts';
import { type RowValues, rowInserter } from '../../kernel/store/rows/row-inserter.ts';
import { storedText } from '../../kernel/store/rows/storable.ts';
import type { Store, Writing } from '../../kernel/store/store.ts';
import {
  addedTo,
  type BookedSums,
  counterColumns,
  hourColumns,
  labelColumns,
  latestByFacts,
  type RowHead,
  SummedRows,
  toDimensions,
} from './ledger-columns.ts';
import type { Counter, Facts, LedgerRecord } from './ledger-record.ts';
import { digest, nameDigest } from './named-texts.ts';
import type { LabelBounds } from './waiting-records.ts';

const insertCounters = rowInserter('counters', {
  columns: counterColumns,
  merge: () => sql`(counter, window_at) do update set amount = counters.amount + excluded.amount`,
});

/** The amounts of counters by window. */
type Amounts = ReadonlyMap<Counter, ReadonlyMap<number, number>>;

const sumCharges = (records: readonly LedgerRecord[]): Amounts => {
  const sums = new Map<Counter, Map<number, number>>();
  for (const { charges } of records)
    for (const { counter, window, amount } of charges) {
      const amounts = sums.get(counter) ?? new Map<number, number>();
      if (amounts.size === 0) sums.set(counter, amounts);
      amounts.set(window, (amounts.get(window) ?? 0) + amount);
    }
  return sums;
};

/** Adds the charges of new records to their counters. */
export const writeCounters = async (
  writing: Writing,
  kind: Store['kind'],
  records: readonly LedgerRecord[],
): Promise<void> => {
  const rows = new Map<string, { readonly of: RowValues; amount: number }>();
  // Each writer has its own object for a counter.
  for (const [counter, amounts] of sumCharges(records))
    for (const [window, added] of amounts) {
      const id = nameDigest(counter);
      const key = `${id} ${window}`;
      const row = rows.get(key) ?? { of: [id, counter.policy, counter.bucket, counter.unit, window], amount: 0 };
      row.amount += added;
      rows.set(key, row);
    }
  await insertCounters(
    writing,
    kind,
    [...rows.values()].map(({ of, amount }) => [...of, amount]),
  );
};

const toHead = latestByFacts((facts, hour): RowHead => {
  const whose = toDimensions(facts);
  return [digest([hour, ...whose]), hour, ...whose];
});

const insertHours = rowInserter('usage_hours', { columns: hourColumns, merge: () => addedTo('usage_hours') });

/** Adds new records of the ledger to the sums by hour. */
export const writeHours = async (writing: Writing, kind: Store['kind'], all: readonly BookedSums[]): Promise<void> => {
  const rows = new SummedRows();
  for (const { facts, at, sums } of all) rows.add(toHead(facts, startOfHour(at)), sums);
  await insertHours(writing, kind, rows.values());
};

/** A text to add to a set of limited size, such as the values of a label on a day. */
interface Wanted {
  /** Identifies the text in its set. */
  readonly id: string;
  readonly set: string;
  /** When the day began after which the set may be deleted, in milliseconds since the epoch. */
  readonly day: number;
}

const wantedText = (set: string, text: string, day: number): Wanted => ({ id: digest([set, text]), set, day });

const insertValues = rowInserter('label_values', { columns: { id: 'text', day: 'integer' } });
const insertCounts = rowInserter('label_counts', {
  columns: { id: 'text', day: 'integer', different: 'integer' },
  merge: () => sql`(id) do update set different = excluded.different`,
});

interface AdmitOptions {
  readonly kind: Store['kind'];
  /** The maximum number of different texts in a set. */
  readonly max: number;
  /** Ids of texts that are known to be in their sets, and need not be looked up. */
  readonly before: ReadonlySet<string>;
}

/** Adds texts to their sets in order, and returns the ids of those that are in them and were not known before. */
const admitTexts = async (
  writing: Writing,
  all: Iterable<Wanted>,
  { kind, max, before }: AdmitOptions,
): Promise<ReadonlySet<string>> => {
  const wanted = new Map<string, Wanted>();
  for (const each of all) if (!before.has(each.id)) wanted.set(each.id, each);
  if (wanted.size === 0) return new Set();
  const known = await inChunks([...wanted.keys()], (chunk) =>
    writing.selectFrom('label_values').select('id').where('id', 'in', chunk).execute(),
  );
  const admitted = new Set(known.map(({ id }) => id));
  const unknown = [...wanted.values()].filter(({ id }) => !admitted.has(id));
  if (unknown.length === 0) return admitted;
  const days = new Map(unknown.map(({ set, day }) => [set, day]));
  const counted = await inChunks([...days.keys()], (chunk) =>
    writing.selectFrom('label_counts').select(['id', 'different']).where('id', 'in', chunk).execute(),
  );
  const counts = new Map(counted.map(({ id, different }) => [id, different]));
  const taken = unknown.filter(({ set }) => {
    const count = counts.get(set) ?? 0;
    if (count < max) counts.set(set, count + 1);
    return count < max;
  });
  await insertValues(
    writing,
    kind,
    taken.map(({ id, day }) => [id, day]),
  );
  await insertCounts(
    writing,
    kind,
    [...new Set(taken.map(({ set }) => set))].map((set) => [set, days.get(set) ?? 0, counts.get(set) ?? 0]),
  );
  for (const { id } of taken) admitted.add(id);
  return admitted;
};

const defaultBounds: LabelBounds = { names: 100, values: 10_000 };

/** The maximum length of a name and a value that are counted separately, in characters. */
const longest = 200;

/** A label that attempts of a day have. */
interface Label {
  readonly name: Wanted;
  /** Absent if it is too long to be counted separately. */
  readonly value: Wanted | undefined;
  /** How its row begins if its value is counted separately, and if it shares a row with others. */
  readonly apart: RowHead;
  readonly other: RowHead;
}

const toLabel = (facts: Facts, day: number, [name, value]: readonly [string, string]): Label => {
  const whose = toDimensions(facts);
  const named = (shown: string, isOther: 0 | 1): RowHead => {
    const id = digest([day, storedText(name), shown, isOther, ...whose]);
    return [id, day, storedText(name), shown, isOther, ...whose];
  };
  return {
    name: wantedText(digest([facts.workspace_id, day]), name, day),
    value: value.length > longest ? undefined : wantedText(digest([facts.workspace_id, day, name]), value, day),
    apart: named(storedText(value), 0),
    other: named('', 1),
  };
};

const toLabels = latestByFacts((facts, day) =>
  Object.entries<string>(fromJson(facts.metadata))
    .filter(([name]) => name.length <= longest)
    .map((label) => toLabel(facts, day, label)),
);

const insertLabels = rowInserter('usage_labels', { columns: labelColumns, merge: () => addedTo('usage_labels') });

/** Adds new records of the ledger to the sums by day and label. Returns the ids of texts that are in their sets. */
export const writeLabels = async (
  writing: Writing,
  all: readonly BookedSums[],
  { kind, before, bounds = defaultBounds }: Omit<AdmitOptions, 'max'> & { readonly bounds: LabelBounds | undefined },
): Promise<Iterable<string>> => {
  const labels = all.flatMap(({ facts, at, sums }) =>
    toLabels(facts, startOfDay(at)).map((label) => ({ label, sums })),
  );
  if (labels.length === 0) return [];
  const options = { kind, before };
  const admittedNames = await admitTexts(
    writing,
    labels.map(({ label }) => label.name),
    { ...options, max: bounds.names },
  );
  const counted = labels.filter(({ label: { name } }) => before.has(name.id) || admittedNames.has(name.id));
  const admittedValues = await admitTexts(
    writing,
    counted.flatMap(({ label }) => label.value ?? []),
    { ...options, max: bounds.values },
  );
  const rows = new SummedRows();
  for (const { label, sums } of counted) {
    const { value, apart, other } = label;
    const isApart = value !== undefined && (before.has(value.id) || admittedValues.has(value.id));
    rows.add(isApart ? apart : other, sums);
  }
  await insertLabels(writing, kind, rows.values());
  return [...admittedNames, ...admittedValues];
};
