import { type RawBuilder, sql } from 'kysely';
import type { ColumnType } from '../../kernel/store/migrations/migrate.ts';
import type { RowValues } from '../../kernel/store/rows/row-inserter.ts';
import type {
  CounterRow,
  LedgerNameRow,
  LedgerPostingRow,
  UsageHourRow,
  UsageLabelRow,
} from '../../kernel/store/tables.ts';
import { countedColumns, type Facts, type RecordedAttempt } from './ledger-record.ts';

/** A column of a roll-up that is a sum. */
export type SummedColumn =
  | (typeof countedColumns)[number]
  | ('nano_usd' | 'unpriced' | 'reported' | 'partial' | 'estimated' | 'none');

export const summedColumns: readonly SummedColumn[] = [
  ...countedColumns,
  ...(['nano_usd', 'unpriced', 'reported', 'partial', 'estimated', 'none'] as const),
];

/** The sums that a row of the ledger adds to its rows of sums. */
export type Sums = Readonly<Pick<UsageHourRow, SummedColumn>>;

/** The same sums, while they are being added up. */
export type AddedSums = { -readonly [Column in SummedColumn]: number };

/** The sums that attempts with the same facts add to those of an hour. */
export interface BookedSums {
  readonly facts: Facts;
  /** The time of one of them, in milliseconds since the epoch. */
  readonly at: number;
  readonly sums: Sums;
}

export const noSums = (): AddedSums => ({
  ...{ requests: 0, attempts: 0, input_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0, audio_tokens: 0 },
  ...{ output_tokens: 0, reasoning_tokens: 0, nano_usd: 0, unpriced: 0 },
  ...{ reported: 0, partial: 0, estimated: 0, none: 0 },
});

/** Adds an attempt, or several that were merged. */
export const addAttempt = (to: AddedSums, attempt: RecordedAttempt): void => {
  const { attempts, nano_usd, input_tokens, output_tokens } = attempt;
  for (const column of countedColumns) to[column] += attempt[column];
  to.nano_usd += nano_usd ?? 0;
  if (nano_usd === null && input_tokens + output_tokens > 0) to.unpriced += attempts;
  to[attempt.facts.kind] += attempts;
};

export const toSums = (attempt: RecordedAttempt): AddedSums => {
  const sums = noSums();
  addAttempt(sums, attempt);
  return sums;
};

/** Adds sums, or subtracts them if `sign` is -1. */
export const addSums = (to: AddedSums, sums: Sums, sign: 1 | -1 = 1): void => {
  for (const column of summedColumns) to[column] += sign * sums[column];
};

type Columns<Row> = { readonly [Column in keyof Row]-?: ColumnType };

const text = 'text' as const;
const integer = 'integer' as const;

export const postingColumns: Columns<Omit<LedgerPostingRow, 'number'>> = {
  ...{ id: text, at: integer, trace: 'text?', facts: 'integer?' },
  ...{ requests: 'integer?', attempts: 'integer?', input_tokens: 'integer?', cache_read_tokens: 'integer?' },
  ...{ cache_write_tokens: 'integer?', audio_tokens: 'integer?', output_tokens: 'integer?' },
  ...{ reasoning_tokens: 'integer?', nano_usd: 'integer?', charges: 'text?', corrects: 'text?' },
};

export const nameColumns: Columns<Omit<LedgerNameRow, 'number'>> = { digest: text, day: integer, name: text };

export const counterColumns: Columns<CounterRow> = {
  ...{ counter: text, policy: text, bucket: text, unit: text, window_at: integer, amount: integer },
};

/** The columns for the owner of usage. */
const dimensions = {
  ...{ organisation_id: text, workspace_id: text, key_id: text, provider: text, model: text, config: text },
} as const;

const sums = {
  ...{ requests: integer, attempts: integer, input_tokens: integer, cache_read_tokens: integer },
  ...{ cache_write_tokens: integer, audio_tokens: integer, output_tokens: integer, reasoning_tokens: integer },
  ...{ nano_usd: integer, unpriced: integer, reported: integer, partial: integer, estimated: integer, none: integer },
} as const;

export const hourColumns: Columns<UsageHourRow> = { id: text, hour: integer, ...dimensions, ...sums };

export const labelColumns: Columns<UsageLabelRow> = {
  ...{ id: text, day: integer, name: text, value: text, is_other: integer },
  ...{ ...dimensions, ...sums },
};

/** The values of the columns before the sums. The first is the id of the row. */
export type RowHead = readonly [id: string, ...(string | number | null)[]];

/** Rows of sums by their ids. */
export class SummedRows {
  readonly #rows = new Map<string, { readonly named: RowHead; readonly sums: AddedSums }>();

  /** Adds sums to the row that begins with these values. */
  add(named: RowHead, sums: Sums): void {
    const row = this.#rows.get(named[0]) ?? { named, sums: noSums() };
    this.#rows.set(named[0], row);
    addSums(row.sums, sums);
  }

  values(): readonly RowValues[] {
    return [...this.#rows.values()].map(({ named, sums }) => [
      ...named,
      ...summedColumns.map((column) => sums[column]),
    ]);
  }
}

/** Returns the SQL that adds values to an existing row of sums. */
export const addedTo = (table: 'usage_hours' | 'usage_labels'): RawBuilder<unknown> =>
  sql`(id) do update set ${sql.join(
    summedColumns.map(
      (column) => sql`${sql.ref(column)} = ${sql.ref(`${table}.${column}`)} + ${sql.ref(`excluded.${column}`)}`,
    ),
  )}`;

/** Returns the values that identify the row for some facts, in the order of its columns; empty texts for missing ones. */
export const toDimensions = (facts: Facts): readonly string[] => {
  const { organisation_id, workspace_id, key_id, provider, model, config } = facts;
  return [organisation_id, workspace_id, key_id ?? '', provider, model, config ?? ''];
};

/** Creates a function that derives a value from facts in an hour or a day, and caches the latest value of each facts object. */
export const latestByFacts = <Value>(
  make: (facts: Facts, start: number) => Value,
): ((facts: Facts, start: number) => Value) => {
  const latest = new WeakMap<Facts, { readonly start: number; readonly value: Value }>();
  return (facts, start) => {
    const known = latest.get(facts);
    if (known?.start === start) return known.value;
    const value = make(facts, start);
    latest.set(facts, { start, value });
    return value;
  };
};
