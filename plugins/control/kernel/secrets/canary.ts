import type { Writing } from '../store/store.ts';
import type { MasterKey } from './master-key.ts';
import { UnknownMasterError } from './secret-error.ts';
import type { SecretStore } from './secret-store.ts';
import { type MasterRing, toWrapper, unwrap, type Wrappable, wrap } from './wrap.ts';
import { writeKeys } from './write-keys.ts';

const canary: Wrappable = { kind: 'canary', id: 'master' };
const proof = Buffer.from('This text proves the master key.');

const readCanary = async (db: SecretStore['db'] | Writing): Promise<string | undefined> => {
  const row = await db.selectFrom('canary').select('wrapped').where('id', '=', canary.id).executeTakeFirst();
  return row?.wrapped;
};

/** Whether the secrets of a store are sealed with a master key already. */
export const isSealed = async (store: Pick<SecretStore, 'db'>): Promise<boolean> =>
  (await readCanary(store.db)) !== undefined;

/** The master key of a process that wrapped the canary. Throws an `UnknownMasterError` if it is another one's. */
const proven = (wrapped: string, ring: MasterRing): MasterKey => {
  const master = ring.get(toWrapper(wrapped, canary));
  if (master === undefined) {
    const given = ring.size === 0 ? 'a master key, and none is given' : 'another master key than the one that is given';
    throw new UnknownMasterError(
      `The secrets of this store are sealed with ${given}: set GW_MASTER_KEY to the one they are sealed with, or GW_MASTER_KEY_PREVIOUS while it is being rotated.`,
    );
  }
  unwrap(wrapped, canary, ring);
  return master;
};

/**
 * The master key that is in use in the store, as its canary proves it: new data keys must be wrapped by it, in the same
 * transaction. In a store without a canary it is `first`, and the canary is written. Throws an `UnknownMasterError` if this
 * process does not have the key.
 */
export const masterInUse = async (writing: Writing, ring: MasterRing, first: MasterKey): Promise<MasterKey> => {
  const wrapped = await readCanary(writing);
  if (wrapped !== undefined) return proven(wrapped, ring);
  await writing
    .insertInto('canary')
    .values({ id: canary.id, wrapped: wrap(proof, canary, first) })
    .execute();
  return first;
};

/** Makes `next` the master key that is in use. */
export const writeCanary = async (writing: Writing, next: MasterKey): Promise<void> => {
  const wrapped = wrap(proof, canary, next);
  await writing.updateTable('canary').set({ wrapped }).where('id', '=', canary.id).execute();
};

/** Rejects with an `UnknownMasterError` if the store's secrets are sealed with a master key that this process does not have. */
export const proveMasterKey = async (store: SecretStore, ring: MasterRing, first?: MasterKey): Promise<void> => {
  const wrapped = await readCanary(store.db);
  if (wrapped !== undefined) proven(wrapped, ring);
  else if (first !== undefined) await writeKeys(store, (writing) => masterInUse(writing, ring, first));
};
