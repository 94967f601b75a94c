import { type SelectQueryBuilder, type Simplify, sql } from 'kysely';
import type { GatewayError } from '../../../../schema/errors/errors.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import type { FromSchema } from '../../../sdk/parameters/from-schema.ts';
import type { RouteContext } from '../../../sdk/route/route-row.ts';
import { conflict, notFound } from '../requests/refusals.ts';
import type { RequestScope } from '../requests/request-scope.ts';
import type { Store, Writing } from '../store/store.ts';

/** The queries that can be run in a transaction or outside of one. */
export type Reading = Pick<Writing, 'selectFrom'>;

/** A page of a list. */
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

/** Picks the row whose id matches; otherwise the first, whose slug or name does. */
export const pickByIdOrSlug = <Row extends { readonly id: string }>(
  rows: readonly Row[],
  name: string,
): Row | undefined => rows.find(({ id }) => id === name) ?? rows[0];

/** Whether the store can keep a text: PostgreSQL refuses the character U+0000, so that nothing is named by one that has it. */
export const lacksNulCharacters = (text: string): boolean => !text.includes('\0');

/** The query of routes that list. */
export const pageSchema = {
  type: 'object',
  properties: {
    page_size: { type: 'integer', minimum: 1, maximum: 1000, default: 100, description: 'How many are listed.' },
    current_page: {
      type: 'integer',
      minimum: 0,
      maximum: 1_000_000_000,
      default: 0,
      description: 'The number of the page; the first is 0.',
    },
  },
} as const;

export type PageQuery = FromSchema<typeof pageSchema>;

/** A list goes on no further than this. */
const largestOffset = 1_000_000_000;

/** Reads the page of a request. */
export const toPage = ({ page_size, current_page }: PageQuery): Page => ({
  limit: page_size,
  offset: Math.min(page_size * current_page, largestOffset),
});

/** A change of one record: what is sealed for it is sealed outside of any transaction. */
export interface Change<Row extends { readonly updated_at: number }> {
  /** Throws the `GatewayError` `not-found` if there is none. */
  find(db: Reading): Promise<Row>;
  /** The record as it becomes. It is called again if others have changed the record meanwhile. */
  make(before: Row): Promise<Row>;
  replace(writing: Writing, after: Row): Promise<void>;
}

/**
 * Tries until something is written: an attempt gives undefined where others have changed what it read. Throws what `busy` gives
 * if they do all the time.
 */
export const untilWritten = async <Result>(
  attempt: () => Promise<Result | undefined>,
  busy: () => GatewayError,
): Promise<Result> => {
  for (let attempts = 0; attempts < 5; attempts += 1) {
    const result = await attempt();
    if (result !== undefined) return result;
  }
  throw busy();
};

/**
 * Changes a record that nobody else has changed since it was validated. Throws the `GatewayError` `conflict` if others change it
 * all the time.
 */
export const applyChange = <Row extends { readonly updated_at: number }>(
  store: Store,
  { find, make, replace }: Change<Row>,
): Promise<Row> =>
  untilWritten(
    async () => {
      const before = await find(store.db);
      // Another time than before, so that others see that it has changed.
      const made = await make(before);
      const after = { ...made, updated_at: Math.max(made.updated_at, before.updated_at + 1) };
      return store.write(async (writing) => {
        const current = await find(writing);
        if (current.updated_at !== before.updated_at) return undefined;
        await replace(writing, after);
        return after;
      });
    },
    () => conflict('Others change this record at the same time.', 'Try again.'),
  );

/** How many of each kind a workspace may have; an organisation, of those that are its own. */
export const maxCounts = {
  configs: 10_000,
  policies: 10_000,
  prompts: 10_000,
  partials: 10_000,
  /** Revoked ones do not count: their records stay. */
  'service keys': 10_000,
} as const;

type Owner = 'workspace' | 'organisation';

/** Throws the `GatewayError` `conflict` where an owner has so many of a kind that there can be no more. */
export const refuseOver = (
  what: string,
  count: number,
  { max, owner, removal = 'Delete' }: { readonly max: number; readonly owner: Owner; readonly removal?: string },
): void => {
  if (count >= max) throw conflict(`This ${owner} has ${max} ${what}.`, `${removal} those that nobody needs.`);
};

/** The same for the kinds whose maximum is in the list. */
export const refuseFull = (what: keyof typeof maxCounts, count: number, owner: Owner = 'workspace'): void =>
  refuseOver(what, count, { max: maxCounts[what], owner, removal: what === 'service keys' ? 'Revoke' : 'Delete' });

/** The id of the workspace of an organisation that an id or a slug names; an id is looked for first. */
export const findWorkspace = async (db: Reading, organisation: string, name: string): Promise<string | undefined> => {
  if (!lacksNulCharacters(name)) return undefined;
  const rows = await db
    .selectFrom('workspaces')
    .select('id')
    .where('organisation_id', '=', organisation)
    .where((where) => where.or({ id: name, slug: name }))
    .execute();
  return pickByIdOrSlug(rows, name)?.id;
};

/**
 * Where a request acts whose body may name another workspace of the organisation, by id or slug. Throws the `GatewayError`
 * `not-found` for one that the caller does not reach.
 */
export const resolveNamedWorkspace = async (
  { organisation, tenant }: RequestScope,
  name: string | undefined,
  { store, principal }: { readonly store: Store; readonly principal: RouteContext['principal'] },
): Promise<RequestScope> => {
  if (name === undefined) return { organisation, tenant };
  const found = await findWorkspace(store.db, organisation, name);
  if (found === tenant || (found !== undefined && principal.reach === 'organisation'))
    return { organisation, tenant: found as TenantId };
  throw notFound('workspace', name, 'GET /v1/workspaces');
};

/** The parameter of a list that pages by records and not by numbers. */
const afterSchema = {
  type: 'string',
  format: 'uuid',
  description:
    'The id of the last record of the page before, in place of current_page: what is made or deleted meanwhile neither repeats nor hides a record.',
} as const;

/** The query of lists of records. */
export const resourcePageSchema: {
  readonly type: 'object';
  readonly properties: typeof pageSchema.properties & { readonly after: typeof afterSchema };
} = { type: 'object', properties: { ...pageSchema.properties, after: afterSchema } };

/** The page of a list that is asked for. */
export interface ResourcePage extends Page {
  /** Only records that are listed behind the one with this id. */
  readonly after?: string | undefined;
}

export const resourcePage = ({ after, ...page }: PageQuery & { readonly after?: string }): ResourcePage => ({
  ...toPage(page),
  after,
});

/** A page of what is ordered by a column, the largest value first: of all, or of what is below a value. */
interface DescendingPage extends Page {
  readonly column: string;
  readonly below: string | number | undefined;
}

/** Reads one page of what a query finds. The total is that of all pages. */
export const paginateDescending = async <Database, Table extends keyof Database, Row>(
  query: SelectQueryBuilder<Database, Table, Row>,
  { column, below, limit, offset }: DescendingPage,
): Promise<PageResult<Simplify<Row>>> => {
  const listed = below === undefined ? query : query.where(sql.ref(column), '<', below);
  return {
    total: await countRows(query),
    rows: await listed.orderBy(sql.ref(column), 'desc').limit(limit).offset(offset).execute(),
  };
};

/** Reads one page of what a query finds, the newest first: ids are in the order of time. */
export const paginateNewest = <Database, Table extends keyof Database, Row>(
  query: SelectQueryBuilder<Database, Table, Row>,
  { after, ...page }: ResourcePage,
): Promise<PageResult<Simplify<Row>>> => paginateDescending(query, { column: 'id', below: after, ...page });
