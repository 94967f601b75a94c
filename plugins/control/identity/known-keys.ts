import { couldBeKey, isChosenMask } from '../keys/key-text.ts';
import { type KeyPrincipal, type KeyRecord, principalMaker } from './key-principal.ts';

/** What is known of the key with a hash: who calls with it, or that it is known and not valid at the time. */
export type Knowledge = KeyPrincipal | 'not-valid' | 'unknown';

/** Keys in memory, by their hashes. */
export interface KnownKeys {
  /** Takes in the newest state of a record. True if it was known and is revoked now. */
  apply(record: KeyRecord): boolean;
  /** `now` is in milliseconds since the epoch; expiry and the time after a rotation are judged by it. */
  find(hash: string, now: number): Knowledge;
  /** Whether a text may be a key that is known. Most that are none are told apart at once, without their hash. */
  mayKnow(text: string, now: number): boolean;
  has(id: string): boolean;
  ids(): Iterable<string>;
}

interface KnownKey {
  readonly principal: KeyPrincipal;
  readonly hash: string;
  readonly previousHash: string | null;
  readonly previousUntil: number | null;
  readonly expiresAt: number | null;
}

const isValid = (key: KnownKey, hash: string, now: number): boolean =>
  (key.expiresAt === null || now < key.expiresAt) &&
  (hash === key.hash || (key.previousUntil !== null && now < key.previousUntil));

export const createKnownKeys = (): KnownKeys => {
  const byId = new Map<string, KnownKey>();
  /** Revoked ones stay, so that nobody asks the store for them. */
  const byHash = new Map<string, KnownKey | 'revoked'>();
  const toPrincipal = principalMaker();
  /** Of all keys that were ever known and not made here, of which there are few. */
  const chosenMasks = new Set<string>();
  /** Until when a key that was rotated may be valid, of which there is no mask any more. */
  let maskless = Number.NEGATIVE_INFINITY;

  const remove = (id: string): boolean => {
    const known = byId.get(id);
    if (known === undefined) return false;
    byHash.delete(known.hash);
    if (known.previousHash !== null) byHash.delete(known.previousHash);
    return byId.delete(id);
  };

  return {
    apply(record) {
      const wasKnown = remove(record.id);
      const hashes = [record.hash, ...(record.previous_hash === null ? [] : [record.previous_hash])];
      if (record.status === 'revoked') {
        for (const hash of hashes) byHash.set(hash, 'revoked');
        return wasKnown;
      }
      const key = {
        principal: toPrincipal(record),
        hash: record.hash,
        previousHash: record.previous_hash,
        previousUntil: record.previous_until,
        expiresAt: record.expires_at,
      };
      byId.set(record.id, key);
      if (isChosenMask(record.mask)) chosenMasks.add(record.mask);
      maskless = Math.max(maskless, record.previous_until ?? maskless);
      for (const hash of hashes) byHash.set(hash, key);
      return false;
    },
    find(hash, now) {
      const key = byHash.get(hash);
      if (key === undefined) return 'unknown';
      return key !== 'revoked' && isValid(key, hash, now) ? key.principal : 'not-valid';
    },
    mayKnow: (text, now) => now < maskless || couldBeKey(text, chosenMasks),
    has: (id) => byId.has(id),
    ids: () => byId.keys(),
  };
};
