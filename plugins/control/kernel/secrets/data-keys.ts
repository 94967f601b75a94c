import { createSecretKey, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { fromJson } from '../../../../schema/json/from-json.ts';
import { entryLimit } from '../fairness/entry-limit.ts';
import { newId } from '../store/new-id.ts';
import type { Writing } from '../store/store.ts';
import type { DataKeyRow } from '../store/tables.ts';
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

/** The master keys of a process, and how it finds keys that it does not have yet. All keys are kept until the process ends. */
export class MasterKeyHolder {
  readonly ring: Map<string, MasterKey>;
  readonly #readAgain: () => Promise<Partial<MasterKeys>>;

  /** @param readAgain reads the keys again from where the process found them, because files may have changed */
  constructor(given: readonly MasterKey[], readAgain: () => Promise<Partial<MasterKeys>>) {
    this.ring = new Map(given.map((key) => [key.id, key]));
    this.#readAgain = readAgain;
  }

  /**
   * Returns the result of `run`. If `run` needs a master key that is not held, reads the keys again, because another process may
   * have rotated them, and runs it again if there are new ones. Rejects if `run` rejects or if the keys cannot be read.
   */
  async using<Result>(run: () => Promise<Result>): Promise<Result> {
    for (;;) {
      const held = this.ring.size;
      try {
        return await run();
      } catch (error) {
        if (!(error instanceof UnknownMasterError)) throw error;
        for (const key of Object.values(await this.#readAgain())) this.ring.set(key.id, key);
        if (this.ring.size === held) throw error;
      }
    }
  }
}

interface DataKeysOptions {
  readonly store: SecretStore;
  readonly masters: MasterKeyHolder;
  /** The master key of a new store. */
  readonly first: MasterKey;
  readonly now: () => number;
}

type CachedKey = Pick<DataKeyRow, 'id' | 'wrapped'>;

const selectKeys = (db: SecretStore['db'] | Writing, tenant: string) =>
  db.selectFrom('data_keys').select(['id', 'wrapped']).where('tenant', '=', tenant);

const keyInUse = (db: SecretStore['db'] | Writing, tenant: string): Promise<CachedKey | undefined> =>
  selectKeys(db, tenant).where('retired_at', 'is', null).orderBy('created_at', 'desc').executeTakeFirst();

const toDataKey = ({ id, tenant }: Pick<DataKeyRow, 'id' | 'tenant'>): Wrappable => ({
  kind: 'data key',
  id,
  tenant,
});

/** The data keys of all tenants, as the store has them. Concurrent calls for a key that is not in memory read it only once. */
export class DataKeys {
  readonly #options: DataKeysOptions;
  /** The unwrapped keys of 10,000 tenants, by the JSON of the tenant, or of the tenant and the id of the key. */
  readonly #known = new LRUCache<string, DataKey>({
    ...entryLimit(20_000),
    fetchMethod: (name) => this.#options.masters.using(() => this.#find(...(fromJson(name) as [string, string?]))),
  });

  constructor(options: DataKeysOptions) {
    this.#options = options;
  }

  /**
   * Returns one of a tenant's keys, or the key that its secrets are currently sealed with, which is created on first use. Rejects
   * with a `SecretError` if the tenant has no such key.
   */
  find(tenant: string, id?: string): Promise<DataKey> {
    return this.#known.forceFetch(JSON.stringify(id === undefined ? [tenant] : [tenant, id]));
  }

  async #find(tenant: string, id?: string): Promise<DataKey> {
    const { store, masters } = this.#options;
    const kept =
      id === undefined
        ? await this.#findInUse(tenant)
        : await selectKeys(store.db, tenant).where('id', '=', id).executeTakeFirst();
    if (kept === undefined)
      throw new SecretError(
        `The data key ${id} of the tenant ${tenant} is not in the store, for example because a backup without it was restored: save the tenant's secrets again.`,
      );
    const wrapped = toDataKey({ id: kept.id, tenant });
    return { id: kept.id, key: createSecretKey(unwrap(kept.wrapped, wrapped, masters.ring)) };
  }

  /** Another process may create the key after the first lookup, so the transaction looks again. */
  async #findInUse(tenant: string): Promise<CachedKey> {
    const { store, masters, first, now } = this.#options;
    const kept = await keyInUse(store.db, tenant);
    if (kept !== undefined) return kept;
    return writeKeys(store, async (writing) => {
      const existing = await keyInUse(writing, tenant);
      if (existing !== undefined) return existing;
      const master = await masterInUse(writing, masters.ring, first);
      const created_at = now();
      const id = newId(created_at);
      const wrapped = wrap(randomBytes(32), toDataKey({ id, tenant }), master);
      await writing.insertInto('data_keys').values({ id, tenant, wrapped, created_at, retired_at: null }).execute();
      return { id, wrapped };
    });
  }
}

/**
 * Wraps all data keys and the canary with another master key, in one transaction. What is wrapped with that key already stays as
 * it is, so the function may be called again with the same key.
 */
export const rewrapAll = (store: SecretStore, ring: MasterRing, next: MasterKey): Promise<void> =>
  writeKeys(store, async (writing) => {
    const current = await masterInUse(writing, ring, next);
    const rows = await writing.selectFrom('data_keys').selectAll().execute();
    const others = rows.filter((row) => toWrapper(row.wrapped, toDataKey(row)) !== next.id);
    for (let at = 0; at < others.length; at += 100) {
      const rewrapped = others.slice(at, at + 100).map((row) => {
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
