import type { Clock } from '../../../../sdk/clock.ts';
import { type KeyPrincipal, type KeyRecord, principalMaker } from './key-principal.ts';
import { couldBeKey, isChosenMask } from './key-text.ts';

/** What is known of the key with a hash: who calls with it, or that it is known and not valid at the time. */
export type Knowledge = KeyPrincipal | 'not-valid' | 'unknown';

/** Says the time in milliseconds since the epoch. */
export type WallClock = Pick<Clock, 'wall'>;

/** Keys in memory, by their hashes. */
export interface KnownKeys {
  /** Takes in the newest state of a record. True if it was known and is revoked now. */
  apply(record: KeyRecord): boolean;
  /** Expiry and the time after a rotation are judged by the clock, which is read for keys alone that have either. */
  find(hash: string, clock: WallClock): Knowledge;
  /** Whether a text may be a key that is known. Most that are none are told apart at once, without their hash. */
  mayKnow(text: string, clock: WallClock): boolean;
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

const isValid = (key: KnownKey, hash: string, clock: WallClock): boolean =>
  (key.expiresAt === null || clock.wall() < key.expiresAt) &&
  (hash === key.hash || (key.previousUntil !== null && clock.wall() < key.previousUntil));

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
    find(hash, clock) {
      const key = byHash.get(hash);
      if (key === undefined) return 'unknown';
      return key !== 'revoked' && isValid(key, hash, clock) ? key.principal : 'not-valid';
    },
    mayKnow: (text, clock) =>
      couldBeKey(text, chosenMasks) || (maskless !== Number.NEGATIVE_INFINITY && clock.wall() < maskless),
    has: (id) => byId.has(id),
    ids: () => byId.keys(),
  };
};
