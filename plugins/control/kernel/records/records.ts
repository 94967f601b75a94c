import { type SelectQueryBuilder, type Simplify, sql } from 'kysely';
import type { GatewayError } from '../../../../schema/errors/errors.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import type { FromSchema } from '../../../sdk/parameters/from-schema.ts';
import type { RouteContext } from '../../../sdk/route/route-row.ts';
import { conflict, notFound } from '../requests/refusals.ts';
import type { RequestScope } from '../requests/request-scope.ts';
import type { Store, Writing } from '../store/store.ts';

/** The queries that can run inside or outside of a transaction. */
export type Reading = Pick<Writing, 'selectFrom'>;

/** A page of a list. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** The rows of a page, and the total number of rows in the list. */
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

/** Returns the row whose id matches, or otherwise the first row whose slug or name does. */
export const pickByIdOrSlug = <Row extends { readonly id: string }>(
  rows: readonly Row[],
  name: string,
): Row | undefined => rows.find(({ id }) => id === name) ?? rows[0];

/** Whether the store can keep a text. PostgreSQL rejects the character U+0000, so no name contains it. */
export const lacksNulCharacters = (text: string): boolean => !text.includes('\0');

/** The query parameters of routes that list. */
export const pageSchema = {
  type: 'object',
  properties: {
    page_size: {
      type: 'integer',
      minimum: 1,
      maximum: 1000,
      default: 100,
      description: 'The number of records per page.',
    },
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

/** The largest offset into a list. */
const largestOffset = 1_000_000_000;

/** Reads the page of a request. */
export const toPage = ({ page_size, current_page }: PageQuery): Page => ({
  limit: page_size,
  offset: Math.min(page_size * current_page, largestOffset),
});

/**
 * Resolves to the result of `run`. If that rejects, calls `undo` first, so that nothing is left that nobody can find any more. If
 * `undo` rejects too, nothing can be done about it.
 */
export const orUndo = async <Result>(run: () => Promise<Result>, undo: () => Promise<unknown>): Promise<Result> => {
  try {
    return await run();
  } catch (error) {
    await undo().catch(() => {});
    throw error;
  }
};

/** A change of one record. Its secrets are sealed outside of any transaction. */
export interface Change<Row extends { readonly updated_at: number }> {
  /** Throws the `GatewayError` `not-found` if there is none. */
  find(db: Reading): Promise<Row>;
  /** Returns the record after the change. It is called again if others have changed the record in the meantime. */
  make(before: Row): Promise<Row>;
  replace(writing: Writing, after: Row): Promise<void>;
}

/** How often a change is attempted. Of simultaneous changes of one record, one is made in each round. */
const maxAttempts = 50;

/**
 * Retries until something is written. An attempt returns undefined if others have changed what it read. Throws the error that
 * `busy` returns if all attempts fail.
 */
export const untilWritten = async <Result>(
  attempt: () => Promise<Result | undefined>,
  busy: () => GatewayError,
): Promise<Result> => {
  for (let attempts = 0; attempts < maxAttempts; attempts += 1) {
    const result = await attempt();
    if (result !== undefined) return result;
  }
  throw busy();
};

/** Returns the time of a change, which is later than that of the previous one, so that others see that the record has changed. */
export const laterThan = (before: { readonly updated_at: number }, time: number): number =>
  Math.max(time, before.updated_at + 1);

/**
 * Changes a record, provided that nobody else has changed it since it was validated. Throws the `GatewayError` `conflict` if
 * others keep changing it.
 */
export const applyChange = <Row extends { readonly updated_at: number }>(
  store: Store,
  { find, make, replace }: Change<Row>,
): Promise<Row> =>
  untilWritten(
    async () => {
      const before = await find(store.db);
      const made = await make(before);
      const after = { ...made, updated_at: laterThan(before, made.updated_at) };
      return store.write(async (writing) => {
        const current = await find(writing);
        if (current.updated_at !== before.updated_at) return undefined;
        await replace(writing, after);
        return after;
      });
    },
    () => conflict('Other requests are changing this record at the same time.', 'Try again.'),
  );

/** How many records of each kind a workspace may have. For an organisation, only its own records count. */
export const maxCounts = {
  configs: 10_000,
  policies: 10_000,
  prompts: 10_000,
  partials: 10_000,
  /** Revoked keys do not count, although their records stay. */
  'service keys': 10_000,
} as const;

type Owner = 'workspace' | 'organisation';

/** Throws the `GatewayError` `conflict` if an owner has the maximum number of records of a kind. */
export const refuseIfOverMax = (
  what: string,
  count: number,
  { max, owner, removal = 'Delete' }: { readonly max: number; readonly owner: Owner; readonly removal?: string },
): void => {
  if (count >= max) throw conflict(`This ${owner} has ${max} ${what}.`, `${removal} those that nobody needs.`);
};

/** Does the same for the kinds whose maximum is in `maxCounts`. */
export const refuseIfFull = (what: keyof typeof maxCounts, count: number, owner: Owner = 'workspace'): void =>
  refuseIfOverMax(what, count, { max: maxCounts[what], owner, removal: what === 'service keys' ? 'Revoke' : 'Delete' });

/** Returns the id of the workspace of an organisation that an id or a slug names. Ids take precedence. */
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
 * Returns where a request acts whose body may name another workspace of the organisation, by id or slug. Throws the
 * `GatewayError` `not-found` if the caller cannot access the workspace.
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

/** The query parameter that continues a list after a record, rather than at a page number. */
export const afterSchema = {
  type: 'string',
  format: 'uuid',
  description:
    'The id of the last record of the previous page, instead of current_page. Records that are created or deleted in the meantime neither repeat nor hide others.',
} as const;

/** The query parameters of routes that list records. */
export const resourcePageSchema: {
  readonly type: 'object';
  readonly properties: typeof pageSchema.properties & { readonly after: typeof afterSchema };
} = { type: 'object', properties: { ...pageSchema.properties, after: afterSchema } };

/** The requested page of a list. */
export interface ResourcePage extends Page {
  /** Lists only the records after the one with this id. */
  readonly after?: string | undefined;
}

/** Reads the page of a list of records. Ids are stored in lower case, but the format of UUIDs allows both. */
export const resourcePage = ({ after, ...page }: PageQuery & { readonly after?: string }): ResourcePage => ({
  ...toPage(page),
  after: after?.toLowerCase(),
});

/** A page of rows ordered by a column, the largest value first: of all rows, or of those below a value. */
interface DescendingPage extends Page {
  readonly column: string;
  readonly below: string | number | undefined;
}

/** Reads one page of the rows that a query finds. The total counts all pages. */
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

/** Reads one page of the rows that a query finds, the newest first: ids are in chronological order. */
export const paginateNewest = <Database, Table extends keyof Database, Row>(
  query: SelectQueryBuilder<Database, Table, Row>,
  { after, ...page }: ResourcePage,
): Promise<PageResult<Simplify<Row>>> => paginateDescending(query, { column: 'id', below: after, ...page });
