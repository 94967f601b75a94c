import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Store } from '../store/store.ts';
import { type PageQuery, type ResourcePage, resourcePage, resourcePageSchema } from './records.ts';

const searchSchema = (
  plural: string,
  columns: readonly string[],
): { readonly type: 'string'; readonly maxLength: 256; readonly description: string } => ({
  type: 'string',
  maxLength: 256,
  description: `Only ${plural} whose ${columns.join(' or ')} contains this text. The case of the letters A to Z does not matter.`,
});

/** The query parameters of routes that list records, and search them by a text in one of these columns. */
export const searchedPageSchema = (
  plural: string,
  columns: readonly string[],
): {
  readonly type: 'object';
  readonly properties: typeof resourcePageSchema.properties & { readonly search: ReturnType<typeof searchSchema> };
} => ({
  type: 'object',
  properties: { ...resourcePageSchema.properties, search: searchSchema(plural, columns) },
});

/** The requested page of the records that a search finds. */
export interface SearchedPage extends ResourcePage {
  /** A text in the name of a record, in any case of ASCII letters; all records if absent or empty. */
  readonly search?: string | undefined;
}

/** Reads the page of a list that can be searched. */
export const searchedPage = ({
  search,
  ...page
}: PageQuery & { readonly after?: string; readonly search?: string }): SearchedPage => ({
  ...resourcePage(page),
  search,
});

/**
 * Returns the condition that one of some columns contains a text. It ignores the case of ASCII letters only, so that both databases
 * find the same records. No character is special.
 */
export const containsText = (
  kind: Store['kind'],
  columns: readonly string[],
  search: string = '',
): RawBuilder<SqlBool> => {
  if (search === '') return sql`1 = 1`;
  const contains = (column: string): RawBuilder<SqlBool> =>
    kind === 'sqlite'
      ? sql`instr(lower(${sql.ref(column)}), lower(${search})) > 0`
      : sql`strpos(lower(${sql.ref(column)} collate "C"), lower(cast(${search} as text) collate "C")) > 0`;
  return sql`(${sql.join(columns.map(contains), sql` or `)})`;
};
