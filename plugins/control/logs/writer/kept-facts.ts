import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { withoutServiceKeys } from '../../../../schema/credentials/without-service-keys.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import { type RowInserter, type RowValues, rowInserter, toRowValues } from '../../kernel/store/rows/row-inserter.ts';
import { storedText } from '../../kernel/store/rows/storable.ts';
import {
  type LogStore,
  type LogWriting,
  lastNumber,
  listedTexts,
  logColumns,
  type RecordFacts,
  type RecordRow,
} from './log-store.ts';
import { noLabels } from './to-record.ts';

const inserters = {
  log_facts: rowInserter('log_facts', { columns: logColumns.log_facts, merge: 'refuse' }),
  log_label_sets: rowInserter('log_label_sets', { columns: logColumns.log_label_sets, merge: 'refuse' }),
} satisfies Record<string, RowInserter>;

const insertPairs = rowInserter('log_label_pairs', { columns: logColumns.log_label_pairs, merge: 'refuse' });

const factNames = Object.keys(logColumns.log_facts).slice(2) as (keyof RecordFacts)[];

/** A character that no stored text contains. */
const separator = '\0';

/** The facts of a record, in the order of their names. */
type FactValues = readonly RecordFacts[keyof RecordFacts][];

/** Returns a text that is equal for two records only if all of their facts are equal. */
const factsKey = (values: FactValues): string => {
  const absent = values.reduce<number>((bits, value) => bits * 2 + (value === null ? 1 : 0), 0);
  return [...values, absent].join(separator);
};

const hasFacts = (record: RecordFacts, values: FactValues): boolean => {
  let at = 0;
  for (const name of factNames) {
    if (record[name] !== values[at]) return false;
    at += 1;
  }
  return true;
};

/** The keys of facts. Creating a key takes longer than finding out that the last record has the same facts. */
class FactsKeys {
  /** The facts of the last record and their key, by service key, because requests of one key are mostly alike. */
  readonly #last = new Map<string | null, { readonly values: FactValues; readonly key: string }>();

  of(record: RecordFacts): string {
    const last = this.#last.get(record.key_id);
    if (last !== undefined && hasFacts(record, last.values)) return last.key;
    const values = factNames.map((name) => record[name]);
    const key = factsKey(values);
    this.#last.set(record.key_id, { values, key });
    return key;
  }
}

/** Returns the number by which a label of a workspace is found. Two labels may have the same number. */
export const labelPair = (workspace: string, name: string, value: string): number =>
  Number.parseInt(hash('sha256', JSON.stringify([workspace, name, value]), 'hex').slice(0, 12), 16);

/** Lists the numbers of the labels in a set. */
export const toPairs = (workspace: string, metadata: string): readonly number[] =>
  Object.entries(parseObject(metadata) ?? {}).map(([name, value]) => labelPair(workspace, name, String(value)));

type NamesTable = keyof typeof inserters;

interface NameOptions<Named> {
  readonly writing: LogWriting;
  readonly kind: LogStore['kind'];
  readonly table: NamesTable;
  readonly toValues: (named: Named, number: number, digest: string) => RowValues;
}

/** Stores each fact or label set once, in one transaction, and numbers them. */
class NameCache<Named> {
  readonly #options: NameOptions<Named>;
  readonly #numbers = new Map<string, number>();
  #last: number | undefined;

  constructor(options: NameOptions<Named>) {
    this.#options = options;
  }

  toNumber(key: string): number {
    const number = this.#numbers.get(key);
    if (number === undefined) throw new TypeError('The facts that records of the log share were not stored.');
    return number;
  }

  /**
   * Stores what is not stored yet, and returns what was new, with its numbers.
   *
   * @param keys the key of each item; undefined for items of which nothing is stored
   */
  async keep(
    keys: readonly (string | undefined)[],
    named: readonly Named[],
  ): Promise<readonly (readonly [number: number, named: Named])[]> {
    const { writing, kind, table, toValues } = this.#options;
    const unknown = new Map<string, Named>();
    for (let at = 0; at < keys.length; at += 1) {
      const key = keys[at];
      if (key !== undefined && !this.#numbers.has(key)) unknown.set(key, named[at] as Named);
    }
    if (unknown.size === 0) return [];
    const missing = new Map([...unknown].map((entry) => [hash('sha256', entry[0], 'base64url').slice(0, 22), entry]));
    const known = await sql<{ readonly number: number; readonly digest: string }>`select number, digest
      from ${sql.table(table)} where digest in ${listedTexts(kind, [...missing.keys()])}`.execute(writing);
    for (const { number, digest } of known.rows) {
      this.#numbers.set(missing.get(digest)?.[0] ?? '', number);
      missing.delete(digest);
    }
    if (missing.size === 0) return [];
    let last = this.#last ?? (await lastNumber(writing, table));
    const rows: RowValues[] = [];
    const inserted: (readonly [number, Named])[] = [];
    for (const [digest, [key, named]] of missing) {
      last += 1;
      this.#numbers.set(key, last);
      rows.push(toValues(named, last, digest));
      inserted.push([last, named]);
    }
    this.#last = last;
    await inserters[table](writing, kind, rows);
    return inserted;
  }
}

type Labelled = Pick<RecordRow, 'workspace_id' | 'metadata'>;

const labelsKey = ({ workspace_id, metadata }: Labelled): string | undefined =>
  metadata === noLabels ? undefined : `${workspace_id}${separator}${metadata}`;

/** Converts a text so that both databases can store it, and removes service keys that were put into it by mistake. */
export const cleanText = (text: string): string => storedText(withoutServiceKeys(text));

/** The numbers of a record's facts and labels; null for no labels. */
interface RecordNames {
  readonly facts: number;
  readonly labels: number | null;
}

/** Stores the facts and label sets of records, in one transaction. */
export class SharedFacts {
  readonly #writing: LogWriting;
  readonly #kind: LogStore['kind'];
  readonly #keys = new FactsKeys();
  readonly #facts: NameCache<RecordFacts>;
  readonly #sets: NameCache<Labelled>;

  constructor(writing: LogWriting, kind: LogStore['kind']) {
    this.#writing = writing;
    this.#kind = kind;
    this.#facts = new NameCache({
      ...{ writing, kind, table: 'log_facts' },
      toValues: (facts, number, digest) => toRowValues(logColumns.log_facts, { ...facts, number, digest }, cleanText),
    });
    this.#sets = new NameCache({
      ...{ writing, kind, table: 'log_label_sets' },
      toValues: ({ workspace_id, metadata }, number, digest) => [
        ...[number, digest, workspace_id],
        withoutServiceKeys(metadata),
      ],
    });
  }

  /** Returns the numbers for each record. */
  async keep(records: readonly RecordRow[]): Promise<readonly RecordNames[]> {
    // V8 would compile callbacks that are created here again after each collection of the whole heap.
    const keys: string[] = [];
    for (const record of records) keys.push(this.#keys.of(record));
    const sets = records.map(labelsKey);
    await this.#facts.keep(keys, records);
    const news = await this.#sets.keep(sets, records);
    const rows = news.flatMap(([labels, { workspace_id, metadata }]) =>
      [...new Set(toPairs(workspace_id, withoutServiceKeys(metadata)))].map((pair) => [pair, labels]),
    );
    await insertPairs(this.#writing, this.#kind, rows);
    const numbers: RecordNames[] = [];
    for (let at = 0; at < keys.length; at += 1) {
      const [key = '', set] = [keys[at], sets[at]];
      const labels = set === undefined ? null : this.#sets.toNumber(set);
      numbers.push({ facts: this.#facts.toNumber(key), labels });
    }
    return numbers;
  }
}
