import type { Clock } from '../../../sdk/clock.ts';
import { isOwnPolicy } from '../../kernel/limits/active-policies.ts';
import { type LimitPolicy, type PolicyView, textPattern } from '../../kernel/limits/limit-policy.ts';
import { inTime } from '../../kernel/store/in-time.ts';
import { Poll, type PollReport } from '../../kernel/store/poll.ts';
import type { Store } from '../../kernel/store/store.ts';
import { everyTenant } from '../../kernel/store/to-store.ts';
import { type LimitsByTenant, readLimits } from './read-limits.ts';

export interface PolicyViewOptions {
  readonly store: Pick<Store, 'db' | 'versions' | 'watch'>;
  readonly clock: Clock;
  /** How often the store is queried for changes of limits, in milliseconds. */
  readonly pollMs?: number;
  readonly say: (text: string) => void;
  /** Notified of whether the store could be read. */
  readonly report?: PollReport;
}

/** The maximum number of tenants that are read by id. If more have changed, all are read. */
const maxTenants = 500;

const none: readonly LimitPolicy[] = [];

const unreadableText = ({ id, name }: LimitPolicy): string =>
  `gw: The store has limits of ${JSON.stringify(name)} (${id.split('/')[0]}) that cannot be read, and the requests that they may cover are refused. Save them again, or delete them. If a later version of the gateway wrote them, use that version.\n`;

const uncoveringText = ({ id, name }: LimitPolicy): string =>
  `gw: The policy ${JSON.stringify(name)} (${id}) covers no request, because its conditions exclude its own workspace. Change or delete it.\n`;

/** Whether the conditions of a policy exclude all requests of the workspace that it belongs to. */
const excludesOwn = ({ conditions }: LimitPolicy, workspace: string): boolean =>
  conditions.some(
    ({ key, values, excludes }) =>
      key === 'workspace_id' &&
      !(values.some((each) => textPattern(each)(workspace)) && !excludes.some((each) => textPattern(each)(workspace))),
  );

interface Kept {
  readonly list: readonly LimitPolicy[];
  /** The value that is compared to detect changes. */
  readonly text: string;
}

const kept = (list: readonly LimitPolicy[], before: Kept | undefined): Kept => {
  const text = JSON.stringify(list);
  return before?.text === text ? before : { list, text };
};

/**
 * Follows the limits of all tenants in memory, so that requests need no query for them. The known state stays in force while the
 * store is unavailable.
 */
export class FollowedPolicies implements PolicyView {
  readonly #options: PolicyViewOptions;
  readonly #poll: Poll;
  #known: ReadonlyMap<string, Kept> = new Map();
  #version = -1;
  /** After an outage, the store may have lost what it had reported before, so everything is read again. */
  #isUncertain = true;
  /** The lists of workspaces joined with those of their organisations, by the former. */
  readonly #joined = new WeakMap<
    object,
    { readonly rest: readonly LimitPolicy[]; readonly list: readonly LimitPolicy[] }
  >();

  constructor(options: PolicyViewOptions) {
    const { store, clock, pollMs = 250, report } = options;
    this.#options = options;
    this.#poll = new Poll({ clock, pollMs, watch: store.watch, ask: () => this.#look(), report });
  }

  findPolicies(workspace: string, organisation: string): readonly LimitPolicy[] {
    const own = this.#known.get(workspace)?.list ?? none;
    const rest = this.#known.get(organisation)?.list ?? none;
    if (rest.length === 0) return own;
    if (own.length === 0) return rest;
    const before = this.#joined.get(own);
    if (before?.rest === rest) return before.list;
    const list = [...own, ...rest];
    this.#joined.set(own, { rest, list });
    return list;
  }

  /** The version of the feed 'policies' in force; -1 before the first response of the store. */
  version(): number {
    return this.#version;
  }

  /** Reads all limits, and follows them from then on. Rejects, and follows nothing, if the store is unavailable. */
  start(): Promise<void> {
    return this.#poll.start();
  }

  /** Reads what has changed until now. If the store cannot be read, that happens later. */
  lookNow(): Promise<void> {
    return this.#poll.now();
  }

  close(): void {
    this.#poll.close();
  }

  #soonEnough<Answer>(answer: Promise<Answer>): Promise<Answer> {
    return inTime(this.#options.clock, 'its policies', answer);
  }

  /** Returns the tenants that have changed since a version; undefined for all. */
  async #readChanged(since: number): Promise<readonly string[] | undefined> {
    const rows = await this.#options.store.db
      .selectFrom('limit_versions')
      .select('tenant')
      .where('version', '>', since)
      .limit(maxTenants + 1)
      .execute();
    const tenants = rows.map(({ tenant }) => tenant);
    return tenants.length > maxTenants || tenants.includes(everyTenant) ? undefined : tenants;
  }

  #take(found: LimitsByTenant, changed: readonly string[] | undefined): void {
    const next = new Map(changed === undefined ? [] : this.#known);
    for (const tenant of changed ?? []) next.delete(tenant);
    for (const [tenant, list] of found) {
      const before = this.#known.get(tenant);
      const now = kept(list, before);
      if (now !== before) this.#report(list, tenant);
      next.set(tenant, now);
    }
    this.#known = next;
  }

  #report(list: readonly LimitPolicy[], workspace: string): void {
    const { say } = this.#options;
    for (const policy of list) {
      if (policy.isUnreadable) say(unreadableText(policy));
      else if (!isOwnPolicy(policy) && excludesOwn(policy, workspace)) say(uncoveringText(policy));
    }
  }

  async #look(): Promise<void> {
    const { store } = this.#options;
    const before = this.#version;
    try {
      // The version is read before the rows, so that changes in between are read again.
      const { policies: current } = await this.#soonEnough(store.versions());
      if (current === before && !this.#isUncertain) return;
      const readsAll = this.#isUncertain || current < before;
      const changed = readsAll ? undefined : await this.#soonEnough(this.#readChanged(before));
      this.#take(await this.#soonEnough(readLimits(store.db, changed)), changed);
      this.#version = current;
      this.#isUncertain = false;
    } catch (error) {
      this.#isUncertain = true;
      throw error;
    }
  }
}
