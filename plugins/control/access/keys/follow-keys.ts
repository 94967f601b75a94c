import type { Clock } from '../../../sdk/clock.ts';
import {
  beginning,
  cursorAfter,
  isAfter,
  type KeyPrincipal,
  type KeyReader,
  type KeyRecord,
  principalMaker,
} from './key-principal.ts';
import { couldBeKey, isChosenMask } from './key-text.ts';

/** The state of the key with a hash: its caller, known but not valid now, or unknown. */
type Knowledge = KeyPrincipal | 'not-valid' | 'unknown';

/** Returns the time in milliseconds since the epoch. */
type WallClock = Pick<Clock, 'wall'>;

/** Keys in memory, by their hashes. */
interface KnownKeys {
  /** Applies the newest state of a record. Returns true if it was known and is no longer accepted. */
  apply(record: KeyRecord): boolean;
  /** Removes the keys of deleted workspaces, whose records were deleted with them. Returns the ids of those that were known. */
  leave(workspaces: readonly string[]): readonly string[];
  /** Returns the state of a key. The clock is read only for keys that expire or were rotated. */
  find(hash: string, clock: WallClock): Knowledge;
  /** The same, but a key that was rotated is not valid any more, even if it is still accepted after the rotation. */
  findCurrent(hash: string, clock: WallClock): Knowledge;
  /** Whether a text may be a known key. Most other texts are rejected immediately, without computing a hash. */
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

const createKnownKeys = (reportUnreadable: (record: KeyRecord) => void): KnownKeys => {
  const byId = new Map<string, KnownKey>();
  /**
   * Keys that are not accepted, because they are revoked or cannot be read, stay, so that they are not looked up in the store.
   */
  const byHash = new Map<string, KnownKey | 'not-accepted'>();
  const toPrincipal = principalMaker();
  /** Returns undefined if a record cannot be read, because it was changed by hand, damaged, or written by a later version. */
  const toAccepted = (record: KeyRecord) => {
    try {
      return { principal: toPrincipal(record), isChosen: isChosenMask(record.mask) };
    } catch {
      reportUnreadable(record);
      return undefined;
    }
  };
  /** The masks of all keys that were ever known and not generated here. There are few. */
  const chosenMasks = new Set<string>();
  /** Until when a rotated key may be valid whose mask is no longer known. */
  let maskless = Number.NEGATIVE_INFINITY;

  const remove = (id: string): boolean => {
    const known = byId.get(id);
    if (known === undefined) return false;
    byHash.delete(known.hash);
    if (known.previousHash !== null) byHash.delete(known.previousHash);
    return byId.delete(id);
  };

  const know = (hash: string, clock: WallClock, isOlderGood: boolean): Knowledge => {
    const key = byHash.get(hash);
    if (key === undefined) return 'unknown';
    const isGood = key !== 'not-accepted' && (isOlderGood || key.hash === hash) && isValid(key, hash, clock);
    return isGood ? key.principal : 'not-valid';
  };

  return {
    apply(record) {
      const wasKnown = remove(record.id);
      const hashes = [record.hash, ...(record.previous_hash === null ? [] : [record.previous_hash])];
      const accepted = record.status === 'revoked' ? undefined : toAccepted(record);
      if (accepted === undefined) {
        for (const hash of hashes) byHash.set(hash, 'not-accepted');
        return wasKnown;
      }
      const key = {
        principal: accepted.principal,
        hash: record.hash,
        previousHash: record.previous_hash,
        previousUntil: record.previous_until,
        expiresAt: record.expires_at,
      };
      byId.set(record.id, key);
      if (accepted.isChosen) chosenMasks.add(record.mask);
      maskless = Math.max(maskless, record.previous_until ?? maskless);
      for (const hash of hashes) byHash.set(hash, key);
      return false;
    },
    leave(workspaces) {
      if (workspaces.length === 0) return [];
      const gone = new Set(workspaces);
      const ids = [...byId].flatMap(([id, { principal }]) => (gone.has(principal.tenant) ? [id] : []));
      for (const id of ids) remove(id);
      return ids;
    },
    find: (hash, clock) => know(hash, clock, true),
    findCurrent: (hash, clock) => know(hash, clock, false),
    mayKnow: (text, clock) =>
      couldBeKey(text, chosenMasks) || (maskless !== Number.NEGATIVE_INFINITY && clock.wall() < maskless),
    has: (id) => byId.has(id),
    ids: () => byId.keys(),
  };
};

/** The keys of a store, as of the last query. */
export interface FollowedKeys {
  find(hash: string, clock: WallClock): Knowledge;
  findCurrent(hash: string, clock: WallClock): Knowledge;
  mayKnow(text: string, clock: WallClock): boolean;
  /**
   * Reads what has changed, or everything if `all` is set or the version has decreased. Keys of deleted workspaces are removed
   * too, because a key may be revoked and deleted with its workspace between two reads. Resolves to the ids of keys that were
   * known and are now revoked or deleted. Rejects while the store is unavailable; what was known stays.
   */
  refresh(version: number, all: boolean, goneWorkspaces?: readonly string[]): Promise<readonly string[]>;
  /** Adds a record that was read separately, if it is newer than what is known. Revoked keys are left to `refresh`. */
  add(record: KeyRecord): void;
}

/** How many records are read and applied at a time. Between two pages the event loop is free. */
const pageSize = 2000;

/** Follows the keys of a store. `reportUnreadable` is called with each record that cannot be read; its key is not accepted. */
export const followKeys = (
  read: Pick<KeyReader, 'changes' | 'byHash'>,
  reportUnreadable: (record: KeyRecord) => void,
): FollowedKeys => {
  const nothing = () => ({ keys: createKnownKeys(reportUnreadable), cursor: beginning });
  let place = nothing();
  let known = -1;

  /** Reads everything after the cursor. */
  const readOn = async (into: typeof place): Promise<readonly string[]> => {
    const revoked: string[] = [];
    for (;;) {
      const records = await read.changes(into.cursor, pageSize);
      for (const record of records) if (into.keys.apply(record)) revoked.push(record.id);
      const before = into.cursor;
      into.cursor = cursorAfter(records, before);
      if (records.length < pageSize || into.cursor === before) return revoked;
    }
  };

  const readAll = async (): Promise<readonly string[]> => {
    const fresh = nothing();
    await readOn(fresh);
    const gone = [...place.keys.ids()].filter((id) => !fresh.keys.has(id));
    place = fresh;
    return gone;
  };

  return {
    find: (hash, clock) => place.keys.find(hash, clock),
    findCurrent: (hash, clock) => place.keys.findCurrent(hash, clock),
    mayKnow: (text, clock) => place.keys.mayKnow(text, clock),
    async refresh(version, all, goneWorkspaces = []) {
      if (version === known && !all) return [];
      const revoked = await (all || version < known ? readAll() : readOn(place));
      known = version;
      return [...revoked, ...place.keys.leave(goneWorkspaces)];
    },
    add(record) {
      if (record.status !== 'revoked' && isAfter(record, place.cursor)) place.keys.apply(record);
    },
  };
};
