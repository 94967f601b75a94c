import { sql } from 'kysely';
import { canonicalJson } from '../../../../schema/json/canonical.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import type { Store, Writing } from '../store/store.ts';
import type { MasterKey } from './master-key.ts';
import { decrypt, type Encrypted, encrypt, SecretError, UnknownMasterError } from './seal.ts';

/** A text encrypted with a master key. The store keeps it as JSON. */
interface Wrapped extends Encrypted {
  readonly v: 1;
  /** The id of the master key. */
  readonly master: string;
}

/** The kind of wrapped value: the data key of a tenant, or the text that proves the master key. */
export type Wrappable =
  | { readonly kind: 'data key'; readonly id: string; readonly tenant: string }
  | { readonly kind: 'canary'; readonly id: string };

/** The master keys of a process, by their ids. */
export type MasterRing = ReadonlyMap<string, MasterKey>;

export const wrap = (plain: Buffer, what: Wrappable, { id, key }: MasterKey): string =>
  JSON.stringify({
    ...{ v: 1, master: id },
    ...encrypt(plain, { key, associated: canonicalJson(what) }),
  } satisfies Wrapped);

const toName = (what: Wrappable): string =>
  what.kind === 'canary'
    ? 'The row that proves the master key'
    : `The data key ${what.id} of the tenant ${what.tenant}`;

const damaged = (what: Wrappable): SecretError =>
  new SecretError(`${toName(what)} was changed in the store and cannot be used: restore the store from a copy.`);

const readWrapped = (text: string, what: Wrappable): Wrapped => {
  const { v, master, nonce, box } = parseObject(text) ?? {};
  if (v === 1 && typeof master === 'string' && typeof nonce === 'string' && typeof box === 'string')
    return { v, master, nonce, box };
  throw damaged(what);
};

/** Returns the id of the master key that wrapped a row. Throws a `SecretError` if the row was changed. */
export const toWrapper = (text: string, what: Wrappable): string => readWrapped(text, what).master;

/** Decrypts a wrapped value. Throws a `SecretError` if this process does not have the master key, or if the row was changed. */
export const unwrap = (text: string, what: Wrappable, ring: MasterRing): Buffer => {
  const wrapped = readWrapped(text, what);
  const master = ring.get(wrapped.master);
  if (master === undefined) {
    throw new UnknownMasterError(
      `${toName(what)} is wrapped by a master key that this process does not have: set GW_MASTER_KEY to the one that is in use now, and start the gateway again.`,
    );
  }
  const plain = decrypt(wrapped, { key: master.key, associated: canonicalJson(what) });
  if (plain === undefined) throw damaged(what);
  return plain;
};

/** The parts of the store that secrets need. */
export type SecretStore = Pick<Store, 'kind' | 'db' | 'write'>;

/**
 * Runs a transaction that creates keys or wraps them again, while no other process does. In PostgreSQL, the lock is taken before
 * anything else, because a transaction sees the state as of its first query; so no transaction has to be retried.
 */
export const writeKeys = <Result>(store: SecretStore, run: (writing: Writing) => Promise<Result>): Promise<Result> =>
  store.write(async (writing) => {
    if (store.kind === 'postgres') await sql`lock table canary in share row exclusive mode`.execute(writing);
    return run(writing);
  });

const canary: Wrappable = { kind: 'canary', id: 'master' };
const proof = Buffer.from('This text proves the master key.');

const readCanary = async (db: SecretStore['db'] | Writing): Promise<string | undefined> => {
  const row = await db.selectFrom('canary').select('wrapped').where('id', '=', canary.id).executeTakeFirst();
  return row?.wrapped;
};

/** Whether the secrets of a store are already sealed with a master key. */
export const isSealed = async (store: Pick<SecretStore, 'db'>): Promise<boolean> =>
  (await readCanary(store.db)) !== undefined;

/** Returns the master key that wrapped the canary. Throws an `UnknownMasterError` if the process does not have it. */
export const masterOfCanary = (wrapped: string, ring: MasterRing): MasterKey => {
  const master = ring.get(toWrapper(wrapped, canary));
  if (master === undefined) {
    const given =
      ring.size === 0 ? 'a master key, and none is given' : 'a different master key from the one that is given';
    throw new UnknownMasterError(
      `The secrets of this store are sealed with ${given}: set GW_MASTER_KEY to the one they are sealed with, or GW_MASTER_KEY_PREVIOUS while it is being rotated.`,
    );
  }
  unwrap(wrapped, canary, ring);
  return master;
};

/**
 * Returns the master key that is in use in the store, as proved by its canary. New data keys must be wrapped by it, in the same
 * transaction. If the store has no canary, writes one with `first`. Throws an `UnknownMasterError` if this process does not have
 * the key.
 */
export const masterInUse = async (writing: Writing, ring: MasterRing, first: MasterKey): Promise<MasterKey> => {
  const wrapped = await readCanary(writing);
  if (wrapped !== undefined) return masterOfCanary(wrapped, ring);
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
  if (wrapped !== undefined) masterOfCanary(wrapped, ring);
  else if (first !== undefined) await writeKeys(store, (writing) => masterInUse(writing, ring, first));
};
