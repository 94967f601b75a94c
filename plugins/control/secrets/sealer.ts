import { proveMasterKey } from './canary.ts';
import { createDataKeys } from './data-keys.ts';
import type { MasterKey } from './master-key.ts';
import { rewrapAll } from './rewrap-all.ts';
import { open, type Sealed, type SealedAt, seal } from './seal.ts';
import { SecretError } from './secret-error.ts';
import type { SecretStore } from './secret-store.ts';

/**
 * Seals secrets and opens them. All methods reject with a `SecretError`, or with a `StoreError` where the store is away. Call
 * none of them inside `Store.write`: the first secret of a tenant is a transaction of its own.
 */
export interface Sealer {
  /** Seals a text for one place, which alone can open it. */
  seal(plain: string, at: SealedAt): Promise<Sealed>;
  open(sealed: Sealed, at: SealedAt): Promise<string>;
  /**
   * Makes another master key the one of the store. Processes that have both keys serve on; one that has only the previous
   * key serves on with the data keys in its memory.
   */
  rotateMaster(next: MasterKey): Promise<void>;
}

export interface SealerOptions {
  readonly store: SecretStore;
  /** Absent: nothing can be sealed. */
  readonly masterKey?: MasterKey | undefined;
  /** The key before `masterKey`, or the one that is in use until a rotation to `masterKey`. */
  readonly previousMasterKey?: MasterKey | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

const unable = async (): Promise<never> => {
  throw new SecretError(
    'Secrets cannot be saved without a master key: set GW_MASTER_KEY to one, which `openssl rand -base64 32` makes, and start the gateway again.',
  );
};

/**
 * A sealer for the secrets of a store. The first one of a store writes the row that proves its master key. Rejects with a
 * `SecretError` if the secrets of the store are sealed with another master key, or with one where none is given.
 */
export const createSealer = async ({
  store,
  masterKey,
  previousMasterKey,
  now = Date.now,
}: SealerOptions): Promise<Sealer> => {
  const ring = new Map([previousMasterKey, masterKey].flatMap((key) => (key === undefined ? [] : [[key.id, key]])));
  await proveMasterKey(store, ring, masterKey);
  if (masterKey === undefined) return { seal: unable, open: unable, rotateMaster: unable };
  const dataKeys = createDataKeys({ store, masters: { ring, first: masterKey }, now });
  return {
    seal: async (plain, at) => seal(plain, at, await dataKeys.inUse(at.tenant)),
    open: async (sealed, at) => open(sealed, at, await dataKeys.byId(at.tenant, sealed.key)),
    async rotateMaster(next) {
      // Kept even if this fails: the store may have committed what it could not acknowledge.
      ring.set(next.id, next);
      await rewrapAll(store, ring, next);
    },
  };
};
