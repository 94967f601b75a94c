import type { Clock } from '../../../sdk/clock.ts';
import { within } from '../../../sdk/time/within.ts';
import { proveMasterKey, type SecretStore } from './canary.ts';
import { DataKeys, MasterKeyHolder, rewrapAll } from './data-keys.ts';
import type { MasterKey, MasterKeys } from './master-key.ts';
import {
  dataKeyOf,
  open,
  openPart,
  type Sealed,
  type SealedAt,
  type SealedPartAt,
  SecretError,
  seal,
  sealPart,
  UnknownMasterError,
} from './seal.ts';

/** Seals the bytes of one tenant, and opens them, part by part. */
export interface PartSealer {
  /** The id of the data key. */
  readonly id: string;
  seal(plain: Uint8Array, at: Omit<SealedPartAt, 'tenant'>): Buffer;
  /** Throws a `SecretError` if the part was changed, or was sealed for another place. */
  open(sealed: Uint8Array, at: Omit<SealedPartAt, 'tenant'>): Buffer;
}

/**
 * Seals secrets and opens them. All methods reject with a `SecretError`, or with a `StoreError` if the store is unavailable. Do
 * not call them inside `Store.write`, because the first secret of a tenant needs a transaction of its own.
 */
export interface Sealer {
  /** Seals a text for one place. It can be opened only at that place. */
  seal(plain: string, at: SealedAt): Promise<Sealed>;
  open(sealed: Sealed, at: SealedAt): Promise<string>;
  /** Returns a sealer with the current data key of a tenant, or with the data key that has this id. */
  key(tenant: string, id?: string): Promise<PartSealer>;
  /**
   * Rejects with an `UnknownMasterError` if the store is sealed with a master key that this process does not have, or no longer
   * has.
   */
  prove(): Promise<void>;
  /**
   * Makes another master key the current one of the store. Processes that have both keys, or can read the new one, are not
   * affected. A process that has only the previous key continues with the data keys in its memory.
   */
  rotateMaster(next: MasterKey): Promise<void>;
}

export interface SealerOptions {
  readonly store: SecretStore;
  /** If absent, nothing can be sealed. */
  readonly masterKey?: MasterKey | undefined;
  /** The key before `masterKey`, or the key that is in use until a rotation to `masterKey`. */
  readonly previousMasterKey?: MasterKey | undefined;
  /** Reads both keys again from where the process found them. It is called when another process has rotated them. */
  readonly readAgain?: () => Promise<Partial<MasterKeys>>;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

const unable = async (): Promise<never> => {
  throw new SecretError(
    'Secrets cannot be saved without a master key: set GW_MASTER_KEY to the output of `openssl rand -base64 32`, and start the gateway again.',
  );
};

/**
 * Creates a sealer for the secrets of a store. The first sealer of a store writes the row that proves its master key. Rejects
 * with a `SecretError` if the secrets of the store are sealed with another master key, or with any key when none is given.
 */
export const createSealer = async ({
  store,
  masterKey,
  previousMasterKey,
  readAgain = async () => ({}),
  now = Date.now,
}: SealerOptions): Promise<Sealer> => {
  const masters = new MasterKeyHolder(
    [previousMasterKey, masterKey].filter((key) => key !== undefined),
    readAgain,
  );
  const prove = (): Promise<void> => masters.using(() => proveMasterKey(store, masters.ring));
  await masters.using(() => proveMasterKey(store, masters.ring, masterKey));
  if (masterKey === undefined) return { seal: unable, open: unable, key: unable, prove, rotateMaster: unable };
  const dataKeys = new DataKeys({ store, masters, first: masterKey, now });
  return {
    seal: async (plain, at) => seal(plain, at, await dataKeys.find(at.tenant)),
    open: async (sealed, at) => open(sealed, at, await dataKeys.find(at.tenant, dataKeyOf(sealed, at))),
    async key(tenant, id) {
      const key = await dataKeys.find(tenant, id);
      return {
        id: key.id,
        seal: (plain, at) => sealPart(plain, { ...at, tenant }, key),
        open: (sealed, at) => openPart(sealed, { ...at, tenant }, key),
      };
    },
    prove,
    async rotateMaster(next) {
      // Kept even if this fails, because the store may have committed the change without being able to acknowledge it.
      masters.ring.set(next.id, next);
      await rewrapAll(store, masters.ring, next);
    },
  };
};

const rotated =
  'The master key of the store was rotated to one that this process does not have: it can open only the secrets that it has opened before. Start the gateway again with the new master key.';

/**
 * Creates a function that returns a sentence if the process must be restarted because of its master key, and undefined otherwise.
 * If the store does not answer within a second, the function returns its previous result.
 */
export const watchMaster = (
  { prove }: Pick<Sealer, 'prove'>,
  clock: Pick<Clock, 'after'>,
): (() => Promise<readonly string[]>) => {
  let warned: readonly string[] = [];
  return async () => {
    try {
      await within(clock, 1000, prove());
      warned = [];
    } catch (error) {
      if (error instanceof UnknownMasterError) warned = [rotated];
    }
    return warned;
  };
};
