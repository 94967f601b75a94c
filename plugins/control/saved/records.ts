import type { SelectQueryBuilder, Simplify } from 'kysely';
import type { Writing } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';

/** What queries ask, in a transaction or outside of one. */
export type Reading = Pick<Writing, 'selectFrom'>;

/** The part of a list that is asked for. */
export interface Part {
  readonly limit: number;
  readonly offset: number;
}

/** A part of a list, and how many records it has in all. */
export interface Listed<Row> {
  readonly total: number;
  readonly rows: readonly Row[];
}

/** How many records a query finds. */
export const countOf = async <Table extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Table, Row>,
): Promise<number> => {
  const { total } = await query
    .clearSelect()
    .clearOrderBy()
    .select((select) => select.fn.countAll().as('total'))
    .executeTakeFirstOrThrow();
  return Number(total);
};

/** A part of what an ordered query finds. */
export const partOf = async <Table extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  { limit, offset }: Part,
): Promise<Listed<Simplify<Row>>> => ({
  total: await countOf(query),
  rows: await query.limit(limit).offset(offset).execute(),
});

/** Picks the row whose id matches; otherwise the first, whose slug or name does. */
export const pickByIdOrSlug = <Row extends { readonly id: string }>(
  rows: readonly Row[],
  name: string,
): Row | undefined => rows.find(({ id }) => id === name) ?? rows[0];

/** Whether the store can keep a text: PostgreSQL refuses the character U+0000, so that nothing is named by one that has it. */
export const isStorable = (text: string): boolean => !text.includes('\0');
