import type { Clock } from '../../../sdk/clock.ts';
import { unreadableLine } from '../../kernel/records/unreadable-row.ts';
import { inTime } from '../../kernel/store/in-time.ts';
import { Poll, type PollReport } from '../../kernel/store/poll.ts';
import type { Store } from '../../kernel/store/store.ts';
import { followKeys } from './follow-keys.ts';
import type { KeyPrincipal, KeyReader, KeyRecord } from './key-principal.ts';
import { keyHash, parseKeyText } from './key-text.ts';
import { createLookUps } from './look-ups.ts';

export interface IdentityOptions {
  readonly read: Pick<KeyReader, 'changes' | 'byHash'>;
  /**
   * The places to refresh before keys are read, whenever the feed `keys` has changed. Resolves to the ids of the workspaces that
   * no longer exist.
   */
  readonly places?: { refresh(version: number, all: boolean): Promise<readonly string[]> };
  readonly versions: Store['versions'];
  readonly watch: Store['watch'];
  readonly clock: Clock;
  /** How long the known state is used while the store is unavailable, in milliseconds. */
  readonly staleAuthMs?: number | undefined;
  /** How often the store is queried for changes of keys, in milliseconds. */
  readonly pollMs?: number | undefined;
  /** Writes a line for the operator; if absent, nothing is reported. */
  readonly say?: ((text: string) => void) | undefined;
  /** Notified of whether the store could be read. */
  readonly report?: PollReport | undefined;
}

const unreadableText = (record: KeyRecord): string =>
  unreadableLine('key', record, 'is not accepted', 'Revoke it and create another one');

/** Finds the caller by a key. Returns synchronously for known keys, and for texts that cannot be keys. */
export type IdentifyKey = (presented: string) => KeyPrincipal | undefined | Promise<KeyPrincipal | undefined>;

/** The state of following the feed `keys`. */
export interface IdentityStatus {
  /** The version in use; -1 before the first response of the store. */
  readonly version: number;
  /** When the store last confirmed the known state, in milliseconds since the epoch; 0 if it never did. */
  readonly confirmedAt: number;
  /** Whether the store did not respond to the last query. */
  readonly isUnavailable: boolean;
}

export interface Identity {
  readonly identify: IdentifyKey;
  /** Finds the caller by the hash of a key, unless that key was rotated since. */
  identifyHash(hash: string): KeyPrincipal | undefined | Promise<KeyPrincipal | undefined>;
  /** Calls `run` with the ids of keys that were revoked. Returns a function that stops it. */
  onRevoked(run: (ids: readonly string[]) => void): () => void;
  /** Whether the store has been unavailable for so long that nobody is identified. */
  isStale(): boolean;
  status(): IdentityStatus;
  /** Reads all keys, and follows them from then on. Rejects, and follows nothing, if the store is unavailable. */
  start(): Promise<void>;
  /** Reads what has changed until now. If the store cannot be read, that happens later. */
  lookNow(): Promise<void>;
  /** Stops following. */
  close(): void;
}

/** How long the known state is used by default while the store is unavailable, in milliseconds. */
export const defaultStaleAuthMs = 900_000;

const never = { wall: 0, monotonic: Number.NEGATIVE_INFINITY };

/** The maximum number of keys whose hashes are cached. */
const maxHashes = 10_000;

/** Identifies callers by the keys of a store, which it follows. Known keys need no query. */
export const createIdentity = (options: IdentityOptions): Identity => {
  const {
    read,
    places,
    versions,
    watch,
    clock,
    staleAuthMs = defaultStaleAuthMs,
    pollMs = 250,
    say = () => {},
    report,
  } = options;
  const soonEnough = <Value>(answer: Promise<Value>): Promise<Value> => inTime(clock, 'its keys', answer);
  const keys = followKeys(
    {
      changes: (after, limit) => soonEnough(read.changes(after, limit)),
      byHash: (hash) => soonEnough(read.byHash(hash)),
    },
    (record) => say(unreadableText(record)),
  );
  const listeners = new Set<(ids: readonly string[]) => void>();
  let confirmed = never;
  let wasUnavailable = true;
  let served = -1;

  const isStale = (): boolean => clock.monotonic() - confirmed.monotonic > staleAuthMs;

  const ask = async (): Promise<readonly string[]> => {
    const asked = { wall: clock.wall(), monotonic: clock.monotonic() };
    try {
      const { keys: version } = await soonEnough(versions());
      const goneWorkspaces = await places?.refresh(version, wasUnavailable);
      const revoked = await keys.refresh(version, wasUnavailable, goneWorkspaces);
      wasUnavailable = false;
      served = version;
      confirmed = asked;
      return revoked;
    } catch (error) {
      // After an outage, the store may have lost what it had reported before, so everything is read again.
      wasUnavailable = true;
      throw error;
    }
  };

  const refresh = async (): Promise<void> => {
    const revoked = await ask();
    if (revoked.length > 0) for (const run of listeners) run(revoked);
  };

  const poll = new Poll({ clock, pollMs, watch, ask: refresh, report });

  /** Reads a single key, and again if all changes were read in the meantime, because the key may have been deleted. */
  const readKey = async (hash: string): Promise<KeyRecord | undefined> => {
    for (let tries = 0; tries < 3; tries++) {
      const before = served;
      const record = await soonEnough(read.byHash(hash));
      if (before === served) return record;
    }
    throw new Error('The keys of the store change faster than one of them can be read.');
  };

  const lookUp = createLookUps({
    clock,
    ask: async (hash) => {
      const record = await readKey(hash);
      if (record !== undefined) keys.add(record);
      const found = keys.find(hash, clock);
      return typeof found === 'string' ? undefined : found;
    },
  });

  /** The hashes of valid keys that were presented, by the keys. */
  const hashes = new Map<string, string>();

  return {
    identify(presented) {
      const remembered = hashes.get(presented);
      // A provider's credential, which many requests contain, is neither hashed nor kept.
      if (remembered === undefined && !keys.mayKnow(presented, clock)) return undefined;
      if (isStale()) return undefined;
      const hash = remembered ?? keyHash(presented);
      const found = keys.find(hash, clock);
      if (typeof found !== 'string') {
        if (remembered === undefined && hashes.size >= maxHashes) hashes.clear();
        if (remembered === undefined) hashes.set(presented, hash);
        return found;
      }
      return found === 'unknown' && parseKeyText(presented) !== undefined ? lookUp(hash) : undefined;
    },
    identifyHash(hash) {
      if (isStale()) return undefined;
      const current = (): KeyPrincipal | undefined => {
        const found = keys.findCurrent(hash, clock);
        return typeof found === 'string' ? undefined : found;
      };
      return keys.find(hash, clock) === 'unknown' ? lookUp(hash)?.then(current) : current();
    },
    onRevoked(run) {
      listeners.add(run);
      return () => void listeners.delete(run);
    },
    isStale,
    status: () => ({ version: served, confirmedAt: confirmed.wall, isUnavailable: wasUnavailable }),
    start: () => poll.start(),
    lookNow: () => poll.now(),
    close: () => poll.close(),
  };
};
