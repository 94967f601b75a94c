import { sql } from 'kysely';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import type { Store } from '../../kernel/store/store.ts';

const longestId = 512;

/** Returns a UUID without its hyphens, braces or prefix. */
const toHex = (id: string): string =>
  id
    .toLowerCase()
    .replace(/^urn:uuid:/, '')
    .replaceAll(/[{}-]/g, '');

const toUuid = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/**
 * Returns an address in the storage of a cloud in the two forms that ids of its objects have; undefined if the text is not such
 * an address.
 */
const addressSpellings = (id: string): readonly string[] | undefined => {
  const [, scheme = '', rest = ''] = /^(gs|s3)(:\/\/.*)$/is.exec(id) ?? [];
  if (rest === '') return undefined;
  const address = scheme.toLowerCase() + rest;
  return [...new Set([id, address, encodeURIComponent(address.toWellFormed())])];
};

/**
 * Returns the spellings in which a provider may have written an id. Some providers ignore white space around ids, and UUIDs have
 * several forms. Objects in a storage are named by their address, percent-encoded or not.
 */
export const idSpellings = (named: string): readonly string[] => {
  const id = named.trim();
  if (id === '' || id.length > longestId || id.includes('\0')) return [];
  const addresses = addressSpellings(id);
  if (addresses !== undefined) return addresses;
  const hex = toHex(id);
  return /^[\da-f]{32}$/.test(hex) ? [...new Set([id, toUuid(hex), hex])] : [id];
};

interface KnownId {
  readonly id: string;
  readonly workspace_id: string;
  readonly slug: string | null;
  readonly created_at: number;
}

/** The caller, and the account in question. */
interface ForeignQuery {
  readonly tenant: TenantId;
  /** The saved provider or virtual key that is called; absent if a config calls another. */
  readonly slug?: string | undefined;
  readonly ids: readonly string[];
}

/**
 * Checks whether an id belongs to others. Different servers may use equal ids. An id is the caller's own if the caller has it
 * with the provider that is called, or was the first of all to have it.
 */
const isForeign = (known: readonly KnownId[], { tenant, slug }: ForeignQuery): boolean => {
  const others = known.filter(({ workspace_id: workspace }) => workspace !== tenant);
  if (others.length === 0) return false;
  const first = Math.min(...others.map(({ created_at: at }) => at));
  return !known.some(
    (each) => each.workspace_id === tenant && ((each.slug === slug && slug !== undefined) || each.created_at < first),
  );
};

/** Finds which ids, as they were named, belong to another workspace at a provider and not to the caller. Uses one statement. */
export const foreignIds = async ({ db }: Pick<Store, 'db'>, query: ForeignQuery): Promise<ReadonlySet<string>> => {
  const spellings = query.ids.map((id) => [id, idSpellings(id)] as const);
  const looked = spellings.flatMap(([, written]) => written);
  if (looked.length === 0) return new Set();
  const rows: readonly KnownId[] = await db
    .selectFrom('responses')
    .select(['id', 'workspace_id', 'slug', 'created_at'])
    .where('id', 'in', looked)
    .unionAll(
      db
        .selectFrom('remote_ids')
        .select(['remote_id as id', 'workspace_id', sql<string | null>`slug`.as('slug'), 'created_at'])
        .where('remote_id', 'in', looked),
    )
    .execute();
  const known = Map.groupBy(rows, ({ id }) => id);
  const isOthers = (id: string): boolean => isForeign(known.get(id) ?? [], query);
  return new Set(spellings.filter(([, written]) => written.some(isOthers)).map(([id]) => id));
};

/** Checks whether other workspaces have anything at a provider. */
export const othersHaveIds = async ({ db }: Pick<Store, 'db'>, tenant: TenantId): Promise<boolean> =>
  (await db
    .selectFrom('remote_ids')
    .select('remote_id as id')
    .where('workspace_id', '<>', tenant)
    .unionAll(db.selectFrom('responses').select('id').where('workspace_id', '<>', tenant))
    .limit(1)
    .executeTakeFirst()) !== undefined;
