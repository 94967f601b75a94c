import { type RawBuilder, sql } from 'kysely';
import { startOfHour } from '../../../../schema/durations.ts';
import { lookUp } from '../../../../schema/json/look-up.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import { rowInserter, toRowValues } from '../../kernel/store/rows/row-inserter.ts';
import {
  dimensions,
  everything,
  isShort,
  labelPrefix,
  maxLabels,
  maxValues,
  valueKinds,
  valuesOf,
} from './dimensions.ts';
import { addHistogramBytes, histogramBytes } from './histogram.ts';
import { addedToSplits, addingUp, addRecord, addSums, emptySums, type SplitSums } from './hour-sums.ts';
import { type LogRow, type LogStore, type LogWriting, logColumns, type RecordRow } from './log-store.ts';

type Kind = LogStore['kind'];

/** The requests that a row of sums covers. */
type SplitKey = Pick<LogRow<'log_splits'>, 'workspace_id' | 'hour' | 'dimension' | 'kind' | 'value'>;

/** An existing row, with the columns that the database does not add up. */
type StoredTimes = SplitKey & Pick<LogRow<'log_splits'>, 'durations' | 'firsts'>;

interface Split {
  readonly key: SplitKey;
  readonly organisation: string;
  readonly sums: SplitSums;
}

/** The columns of a row's key, in the order of its index. */
export const splitKey: RawBuilder<unknown> = sql.raw('workspace_id, dimension, hour, kind, value');

const keyText = ({ workspace_id, hour, dimension, kind, value }: SplitKey): string =>
  JSON.stringify([workspace_id, hour, dimension, kind, value]);

/** Returns the key of the group in which values are counted. */
const groupText = ({ workspace_id, hour, dimension }: SplitKey): string =>
  JSON.stringify([workspace_id, hour, dimension]);

/** Sums of records of an hour that are alike in every dimension. */
export interface Alike {
  /** One of them. */
  readonly record: RecordRow;
  readonly sums: SplitSums;
}

/** The same numbers only for records of an hour that are alike. */
interface AlikeKey {
  readonly hour: number;
  readonly facts: number;
  readonly labels: number | null;
}

const mergeSplits = sql`(${splitKey}) do update set ${sql.join([
  ...addingUp('log_splits', addedToSplits),
  // These already include the stored values, because other transactions wait meanwhile.
  ...['durations', 'firsts'].map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`),
])}`;

const insertSplits = rowInserter('log_splits', { columns: logColumns.log_splits, merge: () => mergeSplits });

/** Lists keys in place of a table, as parameters of a statement. */
const listed = (kind: Kind, keys: readonly SplitKey[], names: readonly (keyof SplitKey)[]): RawBuilder<unknown> => {
  if (kind === 'sqlite') {
    const columns = names.map((_, at) => sql`json_extract(value, ${sql.lit(`$[${at}]`)})`);
    const rows = JSON.stringify(keys.map((key) => names.map((name) => key[name])));
    return sql`(select ${sql.join(columns)} from json_each(${rows}))`;
  }
  const columns = names.map((name) => {
    const type = logColumns.log_splits[name] === 'integer' ? sql`bigint[]` : sql`text[]`;
    return sql`cast(${keys.map((key) => key[name])} as ${type})`;
  });
  return sql`(select * from unnest(${sql.join(columns)}))`;
};

const groupNames = ['workspace_id', 'hour', 'dimension'] as const;
const keyNames = [...groupNames, 'kind', 'value'] as const;
/** The maximum number of keys in a statement. */
const keysAtOnce = 500;

const refs = (names: readonly string[]): RawBuilder<unknown> => sql.join(names.map((name) => sql.ref(name)));

/** Reads the existing rows with some keys, by key. */
const readRows = async (
  writing: LogWriting,
  kind: Kind,
  keys: readonly SplitKey[],
): Promise<ReadonlyMap<string, StoredTimes>> => {
  const found = new Map<string, StoredTimes>();
  for (let at = 0; at < keys.length; at += keysAtOnce) {
    const part = listed(kind, keys.slice(at, at + keysAtOnce), keyNames);
    const { rows } = await sql<StoredTimes>`select ${refs(keyNames)}, durations, firsts from log_splits
      where (${refs(keyNames)}) in ${part}`.execute(writing);
    for (const row of rows) found.set(keyText(row), row);
  }
  return found;
};

/** Counts the values that have their own rows, in the groups of some keys. */
const countValues = async (
  writing: LogWriting,
  kind: Kind,
  keys: readonly SplitKey[],
): Promise<ReadonlyMap<string, number>> => {
  const counts = new Map<string, number>();
  const groups = [...new Map(keys.map((key) => [groupText(key), key])).values()];
  for (let at = 0; at < groups.length; at += keysAtOnce) {
    const part = listed(kind, groups.slice(at, at + keysAtOnce), groupNames);
    const { rows } = await sql<SplitKey & { readonly count: number }>`select ${refs(groupNames)}, count(*) as count
      from log_splits where (${refs(groupNames)}) in ${part} and kind = ${sql.lit(valueKinds.value)}
      group by ${refs(groupNames)}`.execute(writing);
    for (const row of rows) counts.set(groupText(row), Number(row.count));
  }
  return counts;
};

/** The hourly sums of workspaces by what requests have in common, with their durations. */
export class HourSplits {
  readonly #labels: readonly string[];
  readonly #alike = new Map<string, Alike>();
  /** The last ones, because most records are alike. */
  #last: (Alike & AlikeKey) | undefined;

  /** @param labels the names of the labels to sum up; only the first ones count */
  constructor(labels: readonly string[]) {
    this.#labels = labels.slice(0, maxLabels);
  }

  /**
   * @param facts the same number only for records that have the same facts
   * @param labels likewise for their labels
   */
  add(record: RecordRow, facts: number, labels: number | null): void {
    const hour = startOfHour(record.created_at);
    const declared = this.#labels.length === 0 ? null : labels;
    let last = this.#last;
    if (last === undefined || last.hour !== hour || last.facts !== facts || last.labels !== declared) {
      const key = { hour, facts, labels: declared };
      last = { ...this.#alikeOf(record, key), ...key };
      this.#last = last;
    }
    addRecord(last.sums, record);
  }

  #alikeOf(record: RecordRow, { hour, facts, labels }: AlikeKey): Alike {
    const key = `${hour} ${facts} ${labels}`;
    const alike = this.#alike.get(key) ?? { record, sums: emptySums() };
    this.#alike.set(key, alike);
    return alike;
  }

  /** Lists the sums, before they are split by dimensions. */
  alike(): Iterable<Alike> {
    return this.#alike.values();
  }

  /** Adds the sums to the existing rows. `clean` converts texts to the form that the log stores. */
  async write(writing: LogWriting, kind: Kind, clean: (text: string) => string): Promise<void> {
    const splits = this.#split(clean);
    if (splits.size === 0) return;
    const stored = await this.#bound(writing, kind, splits);
    const rows = [...splits].sort(([a], [b]) => (a < b ? -1 : 1));
    const values = rows.map(([text, { key, organisation, sums }]) => {
      const before = stored.get(text);
      if (before !== undefined) {
        addHistogramBytes(sums.durations, before.durations);
        addHistogramBytes(sums.firsts, before.firsts);
      }
      const histograms = { durations: histogramBytes(sums.durations), firsts: histogramBytes(sums.firsts) };
      return toRowValues(logColumns.log_splits, { ...key, organisation_id: organisation, ...sums, ...histograms });
    });
    await insertSplits(writing, kind, values);
  }

  #split(clean: (text: string) => string): Map<string, Split> {
    const splits = new Map<string, Split>();
    for (const { record, sums } of this.#alike.values()) {
      const of = { workspace_id: record.workspace_id, hour: startOfHour(record.created_at) };
      const add = (dimension: string, value: string | null | undefined): void => {
        const text = typeof value === 'string' ? clean(value) : '';
        const isOther = !isShort(text);
        const kinds = typeof value === 'string' ? valueKinds.value : valueKinds.none;
        const key = { ...of, dimension, kind: isOther ? valueKinds.other : kinds, value: isOther ? '' : text };
        addTo(splits, { key, organisation: record.organisation_id, sums });
      };
      add(everything, null);
      const values = valuesOf(record);
      for (const dimension of dimensions) add(dimension, values[dimension]);
      if (this.#labels.length === 0) continue;
      const labels = parseObject(record.metadata) ?? {};
      for (const name of this.#labels) {
        const value = lookUp(labels, name);
        add(`${labelPrefix}${name}`, value === undefined ? null : String(value));
      }
    }
    return splits;
  }

  /** Moves values beyond the limit to the rows of others, and reads the existing rows. */
  async #bound(writing: LogWriting, kind: Kind, splits: Map<string, Split>): Promise<ReadonlyMap<string, StoredTimes>> {
    const stored = await readRows(
      writing,
      kind,
      [...splits.values()].map(({ key }) => key),
    );
    const news = [...splits].filter(([text, { key }]) => key.kind === valueKinds.value && !stored.has(text));
    if (news.length === 0) return stored;
    const counts = new Map(
      await countValues(
        writing,
        kind,
        news.map(([, { key }]) => key),
      ),
    );
    const others: SplitKey[] = [];
    for (const [text, split] of news) {
      const group = groupText(split.key);
      const count = counts.get(group) ?? 0;
      counts.set(group, count + 1);
      if (count < maxValues) continue;
      splits.delete(text);
      const key = { ...split.key, kind: valueKinds.other, value: '' };
      addTo(splits, { ...split, key });
      if (!stored.has(keyText(key))) others.push(key);
    }
    return others.length === 0 ? stored : new Map([...stored, ...(await readRows(writing, kind, others))]);
  }
}

/** Adds to the sums with a key. */
const addTo = (splits: Map<string, Split>, { key, organisation, sums }: Split): void => {
  const text = keyText(key);
  const before = splits.get(text);
  if (before !== undefined) addSums(before.sums, sums);
  else {
    const own = emptySums();
    addSums(own, sums);
    splits.set(text, { key, organisation, sums: own });
  }
};
