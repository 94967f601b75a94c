import { createSecretKey, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { fromJson } from '../../../../schema/json/from-json.ts';
import { newId } from '../store/new-id.ts';
import type { Writing } from '../store/store.ts';
import type { DataKeyRow } from '../store/tables/tables.ts';
import {
  type MasterRing,
  masterInUse,
  type SecretStore,
  toWrapper,
  unwrap,
  type Wrappable,
  wrap,
  writeCanary,
  writeKeys,
} from './canary.ts';
import type { MasterKey, MasterKeys } from './master-key.ts';
import { type DataKey, SecretError, UnknownMasterError } from './seal.ts';

/** The master keys that a process has, and how it finds those that it does not have yet. */
interface HeldMasters {
  readonly ring: MasterRing;
  /** Kept until the process ends. */
  add(key: MasterKey): void;
  /**
   * The result of `run`. Where it wants a master key that is not held, the keys are read again, and it is run again if there
   * are more: another process may have rotated them. Rejects as `run` does, and as the keys cannot be read.
   */
  using<Result>(run: () => Promise<Result>): Promise<Result>;
}

export interface HeldMastersOptions {
  readonly given: readonly MasterKey[];
  /** Reads the keys where the process has found them; those in files may have changed since. */
  readonly readAgain: () => Promise<Partial<MasterKeys>>;
}

export const holdMasters = ({ given, readAgain }: HeldMastersOptions): HeldMasters => {
  const ring = new Map<string, MasterKey>();
  const add = (key: MasterKey): void => void ring.set(key.id, key);
  given.forEach(add);

  return {
    ring,
    add,
    async using(run) {
      for (;;) {
        const held = ring.size;
        try {
          return await run();
        } catch (error) {
          if (!(error instanceof UnknownMasterError)) throw error;
          for (const key of Object.values(await readAgain())) add(key);
          if (ring.size === held) throw error;
        }
      }
    },
  };
};

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

const toDataKey = ({ id, tenant }: Pick<DataKeyRow, 'id' | 'tenant'>): Wrappable => ({
  kind: 'data key',
  id,
  tenant,
});

/** The data keys of all tenants, as the store has them. Many calls at once for a key that is not in memory read it once. */
export const createDataKeys = ({ store, masters, first, now }: DataKeysOptions): DataKeys => {
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

  /** Reads a key by the JSON of its tenant and its id. */
  const findById = async (name: string): Promise<DataKey> => {
    const [tenant, id]: readonly [string, string] = fromJson(name);
    const query = store.db.selectFrom('data_keys').select(['id', 'wrapped']);
    const kept = await query.where('tenant', '=', tenant).where('id', '=', id).executeTakeFirst();
    if (kept !== undefined) return unwrapped(tenant, kept);
    throw new SecretError(
      `The data key ${id} of the tenant ${tenant} is not in the store, as after a backup was restored, which has none: save the tenant's secrets again.`,
    );
  };

  const cached = (find: (name: string) => Promise<DataKey>): LRUCache<string, DataKey> =>
    new LRUCache({ max: remembered, fetchMethod: (name) => masters.using(() => find(name)) });
  const ofTenants = cached(findInUse);
  const ofIds = cached(findById);

  return {
    inUse: (tenant) => ofTenants.forceFetch(tenant),
    byId: (tenant, id) => ofIds.forceFetch(JSON.stringify([tenant, id])),
  };
};

const rowsInStatement = 100;

/**
 * Wraps all data keys and the canary with another master key, in one transaction. What it has wrapped already stays, so it
 * may be called again with the same key.
 */
export const rewrapAll = (store: SecretStore, ring: MasterRing, next: MasterKey): Promise<void> =>
  writeKeys(store, async (writing) => {
    const current = await masterInUse(writing, ring, next);
    const rows = await writing.selectFrom('data_keys').selectAll().execute();
    const others = rows.filter((row) => toWrapper(row.wrapped, toDataKey(row)) !== next.id);
    for (let at = 0; at < others.length; at += rowsInStatement) {
      const rewrapped = others.slice(at, at + rowsInStatement).map((row) => {
        const what = toDataKey(row);
        return { ...row, wrapped: wrap(unwrap(row.wrapped, what, ring), what, next) };
      });
      await writing
        .insertInto('data_keys')
        .values(rewrapped)
        .onConflict((same) => same.column('id').doUpdateSet({ wrapped: (row) => row.ref('excluded.wrapped') }))
        .execute();
    }
    if (current.id !== next.id) await writeCanary(writing, next);
  });
