import { createSecretKey, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { newId } from '../store/new-id.ts';
import type { Writing } from '../store/store.ts';
import type { DataKeyRow } from '../store/tables/tables.ts';
import { masterInUse } from './canary.ts';
import type { HeldMasters } from './held-masters.ts';
import type { MasterKey } from './master-key.ts';
import type { DataKey } from './seal.ts';
import { SecretError } from './secret-error.ts';
import type { SecretStore } from './secret-store.ts';
import { unwrap, type Wrappable, wrap } from './wrap.ts';
import { writeKeys } from './write-keys.ts';

/** The most unwrapped keys that a process remembers. */
const remembered = 10_000;

export interface DataKeys {
  /** The key that the secrets of a tenant are sealed with now. The first time it is made. */
  inUse(tenant: string): Promise<DataKey>;
  /** One of the tenant's keys. Rejects with a `SecretError` if it has no such key. */
  byId(tenant: string, id: string): Promise<DataKey>;
}

interface DataKeysOptions {
  readonly store: SecretStore;
  readonly masters: HeldMasters;
  /** The master key that a new store starts with. */
  readonly first: MasterKey;
  readonly now: () => number;
}

type CachedKey = Pick<DataKeyRow, 'id' | 'wrapped'>;

const keyInUse = (db: SecretStore['db'] | Writing, tenant: string): Promise<CachedKey | undefined> =>
  db
    .selectFrom('data_keys')
    .select(['id', 'wrapped'])
    .where('tenant', '=', tenant)
    .where('retired_at', 'is', null)
    .orderBy('created_at', 'desc')
    .executeTakeFirst();

export const toDataKey = ({ id, tenant }: Pick<DataKeyRow, 'id' | 'tenant'>): Wrappable => ({
  kind: 'data key',
  id,
  tenant,
});

/** The promise that a cache has of a value, or that of a value it makes. One that was rejected is forgotten. */
const cached = <Value>(
  cache: LRUCache<string, Promise<Value>>,
  name: string,
  make: () => Promise<Value>,
): Promise<Value> => {
  const known = cache.get(name);
  if (known !== undefined) return known;
  const made = make();
  cache.set(name, made);
  made.catch(() => cache.peek(name) === made && cache.delete(name));
  return made;
};

/** The data keys of all tenants, as the store has them. Many calls at once for a key that is not in memory read it once. */
export const createDataKeys = ({ store, masters, first, now }: DataKeysOptions): DataKeys => {
  const ofTenants = new LRUCache<string, Promise<DataKey>>({ max: remembered });
  const ofIds = new LRUCache<string, Promise<DataKey>>({ max: remembered });

  const unwrapped = (tenant: string, { id, wrapped }: CachedKey): DataKey => ({
    id,
    key: createSecretKey(unwrap(wrapped, toDataKey({ id, tenant }), masters.ring)),
  });

  /** Another process may have made it since it was looked for: the transaction looks again. */
  const makeKey = async (writing: Writing, tenant: string): Promise<CachedKey> => {
    const existing = await keyInUse(writing, tenant);
    if (existing !== undefined) return existing;
    const master = await masterInUse(writing, masters.ring, first);
    const created_at = now();
    const id = newId(created_at);
    const wrapped = wrap(randomBytes(32), toDataKey({ id, tenant }), master);
    await writing.insertInto('data_keys').values({ id, tenant, wrapped, created_at, retired_at: null }).execute();
    return { id, wrapped };
  };

  const findInUse = async (tenant: string): Promise<DataKey> => {
    const kept = (await keyInUse(store.db, tenant)) ?? (await writeKeys(store, (writing) => makeKey(writing, tenant)));
    return unwrapped(tenant, kept);
  };

  const findById = async (tenant: string, id: string): Promise<DataKey> => {
    const query = store.db.selectFrom('data_keys').select(['id', 'wrapped']);
    const kept = await query.where('tenant', '=', tenant).where('id', '=', id).executeTakeFirst();
    if (kept !== undefined) return unwrapped(tenant, kept);
    throw new SecretError(
      `The data key ${id} of the tenant ${tenant} is not in the store, as after a backup was restored, which has none: save the tenant's secrets again.`,
    );
  };

  return {
    inUse: (tenant) => cached(ofTenants, tenant, () => masters.using(() => findInUse(tenant))),
    byId: (tenant, id) => cached(ofIds, JSON.stringify([tenant, id]), () => masters.using(() => findById(tenant, id))),
  };
};
