import {
  createIdentity,
  type Identity,
  type IdentityOptions,
} from '../../../../plugins/control/access/keys/create-identity.ts';
import { keyReader } from '../../../../plugins/control/access/keys/key-principal.ts';
import type { Store } from '../../../../plugins/control/kernel/store/store.ts';
import { type JumpingClock, jumpingClock } from './jumping-clock.ts';
import { startTime } from './key-world.ts';

/** A store as seen by one process. The test can cut the process off from it. */
export interface FollowedStore {
  readonly identity: Identity;
  readonly clock: JumpingClock;
  /** How the store answers this process: correctly, with an error, or not at all. */
  answers: 'truly' | 'with an error' | 'never';
  /** The names of the queries that this process sent. */
  readonly queries: string[];
  /** Notifies the process of a change, as some databases do. */
  announce(): void;
  /** Resolves when the store has answered every query. */
  settled(): Promise<void>;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export const followedStore = (store: Store, options: Partial<IdentityOptions> = {}): FollowedStore => {
  const clock = jumpingClock(startTime);
  const reader = keyReader(store);
  const watchers = new Set<() => void>();
  const queries: string[] = [];
  let waiting = 0;
  const answered = async <Value>(name: string, ask: () => Promise<Value>): Promise<Value> => {
    queries.push(name);
    if (followed.answers === 'never') return await new Promise<never>(() => {});
    if (followed.answers === 'with an error') throw new Error('The store is unavailable.');
    waiting += 1;
    try {
      return await ask();
    } finally {
      waiting -= 1;
    }
  };
  const identity = createIdentity({
    read: {
      changes: (after, limit) => answered('changes', () => reader.changes(after, limit)),
      byHash: (hash) => answered('byHash', () => reader.byHash(hash)),
    },
    versions: () => answered('versions', () => store.versions()),
    watch: (run) => {
      watchers.add(run);
      return () => void watchers.delete(run);
    },
    clock,
    ...options,
  });
  const followed: FollowedStore = {
    identity,
    clock,
    answers: 'truly',
    queries,
    announce: () => {
      for (const run of watchers) run();
    },
    async settled() {
      for (let quiet = 0; quiet < 5; quiet = waiting === 0 ? quiet + 1 : 0) await turn();
    },
  };
  return followed;
};
