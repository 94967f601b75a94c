import type { SelectQueryBuilder, Simplify } from 'kysely';
import type { Writing } from '../store/store.ts';
import type { Tables } from '../store/tables/tables.ts';

/** What queries ask, in a transaction or outside of one. */
export type Reading = Pick<Writing, 'selectFrom'>;

/** Which rows of a list are asked for. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** The rows of a page, and how many the whole list has. */
export interface PageResult<Row> {
  readonly total: number;
  readonly rows: readonly Row[];
}

/** Counts the rows that a query finds. */
export const countRows = async <Database, Table extends keyof Database, Row>(
  query: SelectQueryBuilder<Database, Table, Row>,
): Promise<number> => {
  const { total } = await query
    .clearSelect()
    .clearOrderBy()
    .select((select) => select.fn.countAll().as('total'))
    .$castTo<{ readonly total: number | string | bigint }>()
    .executeTakeFirstOrThrow();
  return Number(total);
};

/** Reads one page of what an ordered query finds. */
export const paginate = async <Table extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  { limit, offset }: Page,
): Promise<PageResult<Simplify<Row>>> => ({
  total: await countRows(query),
  rows: await query.limit(limit).offset(offset).execute(),
});

/** Picks the row whose id matches; otherwise the first, whose slug or name does. */
export const pickByIdOrSlug = <Row extends { readonly id: string }>(
  rows: readonly Row[],
  name: string,
): Row | undefined => rows.find(({ id }) => id === name) ?? rows[0];

/** Whether the store can keep a text: PostgreSQL refuses the character U+0000, so that nothing is named by one that has it. */
export const lacksNulCharacters = (text: string): boolean => !text.includes('\0');
