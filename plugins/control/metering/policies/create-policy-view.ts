import type { Clock } from '../../../sdk/clock.ts';
import { within } from '../../../sdk/time/within.ts';
import { longestAnswerMs } from '../../access/identity/service-keys/create-identity.ts';
import type { LimitPolicy, PolicyView } from '../../kernel/limits/limit-policy.ts';
import { everyTenant } from '../../kernel/store/feeds.ts';
import { createPoll } from '../../kernel/store/poll.ts';
import type { Store } from '../../kernel/store/store.ts';
import { type LimitsByTenant, readLimits } from './read-limits.ts';

export interface PolicyViewOptions {
  readonly store: Pick<Store, 'db' | 'versions' | 'watch'>;
  readonly clock: Clock;
  /** How often the store is asked whether limits have changed, in milliseconds. */
  readonly pollMs?: number;
}

/** The limits of a store as they were when it was last asked; what is known is in force while it is unavailable. */
export interface FollowedPolicies extends PolicyView {
  /** The version of the feed 'policies' that is in force; -1 before the first answer of the store. */
  version(): number;
  /** Reads all limits, and follows them from then on. Rejects, and follows nothing, if the store is unavailable. */
  start(): Promise<void>;
  /** Reads what has changed by now; what cannot be read is read later. */
  lookNow(): Promise<void>;
  close(): void;
}

/** The most tenants that are read by their ids; where more have changed, all are. */
const maxTenants = 500;

const none: readonly LimitPolicy[] = [];

interface Kept {
  readonly list: readonly LimitPolicy[];
  /** By which it is told whether it has changed. */
  readonly text: string;
}

const kept = (list: readonly LimitPolicy[], before: Kept | undefined): Kept => {
  const text = JSON.stringify(list);
  return before?.text === text ? before : { list, text };
};

/** Follows the limits of all tenants in memory: requests ask no database for them. */
export const createPolicyView = ({ store, clock, pollMs = 250 }: PolicyViewOptions): FollowedPolicies => {
  const { db } = store;
  let known: ReadonlyMap<string, Kept> = new Map();
  let version = -1;
  /** A store that comes back may have lost what it had said before: then all is read again. */
  let isUncertain = true;
  /** The lists of workspaces together with those of their organisations, by the former. */
  const joined = new WeakMap<
    object,
    { readonly rest: readonly LimitPolicy[]; readonly list: readonly LimitPolicy[] }
  >();

  const soonEnough = <Answer>(answer: Promise<Answer>): Promise<Answer> => within(clock, longestAnswerMs, answer);

  /** The tenants that have changed since a version; undefined for all. */
  const changedSince = async (since: number): Promise<readonly string[] | undefined> => {
    const rows = await db
      .selectFrom('limit_versions')
      .select('tenant')
      .where('version', '>', since)
      .limit(maxTenants + 1)
      .execute();
    const tenants = rows.map(({ tenant }) => tenant);
    return tenants.length > maxTenants || tenants.includes(everyTenant) ? undefined : tenants;
  };

  const take = (found: LimitsByTenant, changed: readonly string[] | undefined): void => {
    const next = new Map(changed === undefined ? [] : known);
    for (const tenant of changed ?? []) next.delete(tenant);
    for (const [tenant, list] of found) next.set(tenant, kept(list, known.get(tenant)));
    known = next;
  };

  const look = async (): Promise<void> => {
    try {
      // The version is read before the rows: what changes between is read once more.
      const { policies: current } = await soonEnough(store.versions());
      if (current === version && !isUncertain) return;
      const changed = isUncertain || current < version ? undefined : await soonEnough(changedSince(version));
      take(await soonEnough(readLimits(db, changed)), changed);
      version = current;
      isUncertain = false;
    } catch (error) {
      isUncertain = true;
      throw error;
    }
  };
  const poll = createPoll({ clock, pollMs, watch: store.watch, ask: look });

  return {
    findPolicies(workspace, organisation) {
      const own = known.get(workspace)?.list ?? none;
      const rest = known.get(organisation)?.list ?? none;
      if (rest.length === 0) return own;
      if (own.length === 0) return rest;
      const before = joined.get(own);
      if (before?.rest === rest) return before.list;
      const list = [...own, ...rest];
      joined.set(own, { rest, list });
      return list;
    },
    version: () => version,
    start: () => poll.start(),
    lookNow: () => poll.now(),
    close: () => poll.close(),
  };
};
