import type { KyselyPlugin } from 'kysely';
import { builtinPlugins } from '../../../../../../plugins/builtin.ts';
import {
  createTenants,
  type FollowedTenants,
  type TenantsOptions,
} from '../../../../../../plugins/control/catalog/tenant-view/create-tenants.ts';
import type { Sealer } from '../../../../../../plugins/control/kernel/secrets/sealer.ts';
import { type Store, StoreError } from '../../../../../../plugins/control/kernel/store/store.ts';
import { buildCatalogue } from '../../../../../../plugins/sdk/plugin/catalogue.ts';
import { nothingSaved } from '../../../../../../schema/config/saved.ts';
import { type JumpingClock, jumpingClock } from '../../../support/jumping-clock.ts';

/** What tenants have saved, as seen by one process that can be cut off from the store. */
export interface FollowedStore {
  readonly tenants: FollowedTenants;
  readonly clock: JumpingClock;
  /** How the store answers this process: normally, with an error, or not at all. */
  answers: 'truly' | 'with an error' | 'never';
  /** The tables that this process has read, one for each query. */
  readonly asked: string[];
  /** Announces a change, as some databases can. */
  announce(): void;
  /** Resolves when the store has answered all queries. */
  settled(): Promise<void>;
  /** Lets time pass, and the process query the store meanwhile. */
  pass(ms: number): Promise<void>;
}

const catalogue = buildCatalogue(builtinPlugins);

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export const startTime: number = Date.UTC(2026, 0, 31);

export const followedTenants = (
  store: Store,
  sealer: Pick<Sealer, 'open'>,
  options: Partial<TenantsOptions> = {},
): FollowedStore => {
  const clock = jumpingClock(startTime);
  const watchers = new Set<() => void>();
  const asked: string[] = [];
  let waiting = 0;

  const answered = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
    // If the answer is not awaited, an error of the store must not become an unhandled rejection.
    answer.catch(() => {});
    if (followed.answers === 'never') return await new Promise<never>(() => {});
    if (followed.answers === 'with an error') throw new StoreError('The store is unavailable.');
    return answer;
  };

  const counting: KyselyPlugin = {
    transformQuery({ node }) {
      asked.push(/"IdentifierNode","name":"(\w+)"/.exec(JSON.stringify(node))?.[1] ?? node.kind);
      waiting += 1;
      return node;
    },
    transformResult({ result }) {
      waiting -= 1;
      return answered(Promise.resolve(result));
    },
  };

  const versions: Store['versions'] = async () => {
    waiting += 1;
    const answer = store.versions().finally(() => {
      waiting -= 1;
    });
    return answered(answer);
  };

  const tenants = createTenants({
    store: {
      db: store.db.withPlugin(counting),
      versions,
      watch: (run) => {
        watchers.add(run);
        return () => void watchers.delete(run);
      },
    },
    sealer,
    overlay: { saved: nothingSaved },
    catalogue,
    clock,
    ...options,
  });

  const followed: FollowedStore = {
    tenants,
    clock,
    answers: 'truly',
    asked,
    announce: () => {
      for (const run of watchers) run();
    },
    async settled() {
      for (let quiet = 0; quiet < 5; quiet = waiting === 0 ? quiet + 1 : 0) await turn();
    },
    async pass(ms) {
      clock.advance(ms);
      await followed.settled();
    },
  };
  return followed;
};
