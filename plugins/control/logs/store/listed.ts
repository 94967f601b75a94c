import { type RawBuilder, sql } from 'kysely';
import type { LogStore } from './log-store.ts';

/** A list of integers in the place of a table, as one parameter of a statement that never changes. */
export const listedIntegers = (kind: LogStore['kind'], values: readonly number[]): RawBuilder<unknown> =>
  kind === 'sqlite'
    ? sql`(select value from json_each(${JSON.stringify(values)}))`
    : sql`(select unnest(cast(${values} as bigint[])))`;

/** The same of texts. */
export const listedTexts = (kind: LogStore['kind'], values: readonly string[]): RawBuilder<unknown> =>
  kind === 'sqlite'
    ? sql`(select value from json_each(${JSON.stringify(values)}))`
    : sql`(select unnest(cast(${values} as text[])))`;
