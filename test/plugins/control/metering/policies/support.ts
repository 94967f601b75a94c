import type { CounterReader, PolicyBucket } from '../../../../../plugins/control/kernel/limits/limit-policy.ts';
import type { ControlParts } from '../../../../../plugins/control/kernel/resource/control-parts.ts';
import { ratePolicyRoutes, usagePolicyRoutes } from '../../../../../plugins/control/metering/policies/policy-routes.ts';
import type { AnyRouteRow } from '../../../../../plugins/sdk/route/route-row.ts';
import { type Answered, type ControlWorld, controlWorld } from '../../support/control-world.ts';

/** Counters that a test fills, by the ids of policies. */
export interface FilledCounters extends CounterReader {
  readonly buckets: Map<string, PolicyBucket[]>;
}

export const filledCounters = (): FilledCounters => {
  const buckets = new Map<string, PolicyBucket[]>();
  return {
    buckets,
    readBuckets: async (policies) => policies.map(({ id }) => buckets.get(id) ?? []),
    async reset({ id }, bucket) {
      buckets.set(
        id,
        (buckets.get(id) ?? []).filter((each) => each.bucket !== bucket),
      );
    },
  };
};

/** Returns a counter with the given usage. */
export const bucket = (values: readonly string[], used: number): PolicyBucket => ({
  ...{ bucket: JSON.stringify(values), values, used },
  notified: { threshold: false, exhausted: false },
});

/** A world with the routes of policies. */
export interface PolicyWorld extends ControlWorld {
  readonly counters: FilledCounters;
  /** Creates a workspace with a key that has every scope in it. */
  newWorkspace(slug: string, organisation?: string): Promise<{ readonly id: string; readonly key: string }>;
}

export const policyWorld = async (
  more: (parts: ControlParts) => readonly AnyRouteRow[] = () => [],
): Promise<PolicyWorld> => {
  const counters = filledCounters();
  const world = await controlWorld({
    routes: (parts) => {
      const all = { ...parts, counters };
      return [...usagePolicyRoutes(all), ...ratePolicyRoutes(all), ...more(all)];
    },
  });
  const { keys, admin, addWorkspace } = world;
  return {
    ...world,
    counters,
    async newWorkspace(slug, organisation) {
      const id = await addWorkspace(slug, organisation);
      const scopes = [...(admin.scopes ?? [])];
      const body = { name: slug, kind: 'workspace-service', workspace_id: id, scopes } as const;
      const { key } = await keys.create(admin, body);
      return { id, key };
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
};

/** Returns the status of a response, and the pointers of its errors. */
export const toProblems = ({ status, body }: Answered): readonly unknown[] => [
  status,
  ...(body.error?.errors ?? []).map(({ pointer }: { pointer: string }) => pointer),
];

export const usage = {
  conditions: [{ key: 'provider', value: 'openai' }],
  group_by: [{ key: 'api_key' }],
  type: 'cost',
  credit_limit: 10,
} as const;

export const rate = {
  conditions: [{ key: 'model', value: '@main/*' }],
  group_by: [{ key: 'metadata._user' }],
  type: 'requests',
  unit: 'rpm',
  value: 60,
} as const;
