import { canonicalJson } from '../../../../schema/json/canonical.ts';
import { fromJson } from '../../../../schema/json/from-json.ts';
import { isJsonObject } from '../../../../schema/json/json.ts';
import { decrypt, type Encrypted, encrypt } from './aead.ts';
import type { MasterKey } from './master-key.ts';
import { SecretError, UnknownMasterError } from './secret-error.ts';

/** What a master key has encrypted. The store keeps it as JSON. */
interface Wrapped extends Encrypted {
  readonly v: 1;
  /** The id of the master key. */
  readonly master: string;
}

/** What is wrapped: the data key of a tenant, or the text that proves the master key. */
export type Wrappable =
  | { readonly kind: 'data key'; readonly id: string; readonly tenant: string }
  | { readonly kind: 'canary'; readonly id: string };

/** The master keys that a process has, by their ids. */
export type MasterRing = ReadonlyMap<string, MasterKey>;

export const wrap = (plain: Buffer, what: Wrappable, { id, key }: MasterKey): string => {
  const wrapped: Wrapped = { v: 1, master: id, ...encrypt(plain, { key, associated: canonicalJson(what) }) };
  return JSON.stringify(wrapped);
};

const toName = (what: Wrappable): string =>
  what.kind === 'canary'
    ? 'The row that proves the master key'
    : `The data key ${what.id} of the tenant ${what.tenant}`;

const damaged = (what: Wrappable): SecretError =>
  new SecretError(`${toName(what)} was changed in the store and cannot be used: restore the store from a copy.`);

const parseJson = (text: string): unknown => {
  try {
    return fromJson(text);
  } catch {
    return undefined;
  }
};

const readWrapped = (text: string, what: Wrappable): Wrapped => {
  const value = parseJson(text);
  if (isJsonObject(value) && value.v === 1) {
    const { master, nonce, box } = value;
    if (typeof master === 'string' && typeof nonce === 'string' && typeof box === 'string') {
      return { v: 1, master, nonce, box };
    }
  }
  throw damaged(what);
};

/** The id of the master key that wrapped a row. Throws a `SecretError` if the row was changed. */
export const toWrapper = (text: string, what: Wrappable): string => readWrapped(text, what).master;

/** What was wrapped. Throws a `SecretError` if this process does not have the master key, or if the row was changed. */
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
