import type { Dialect } from '../../../plugins/sdk/dialect/dialect.ts';
import type { Catalogue } from '../../../plugins/sdk/plugin/catalogue.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { listLeaves } from '../../../schema/plan/list-leaves.ts';
import type { RoutingPlan } from '../../../schema/plan/plan.ts';
import { possibleLosses } from './possible-losses.ts';
import { type ServedLeaf, servedLeaf } from './served-leaf.ts';

const servedJson = (served: ServedLeaf): JsonObject => {
  switch (served.kind) {
    case 'translated':
      return { served: served.kind, to: served.to.id, without: served.without };
    case 'by-model':
      return { served: served.kind, same: served.same, to: served.to.map(({ id }) => id) };
    default:
      return { served: served.kind };
  }
};

/** Describes how the leaves of a plan serve the clients of a dialect, and what these may lose. */
export const dialectJson = (plan: RoutingPlan, client: Dialect, catalogue: Catalogue): JsonObject => ({
  id: client.id,
  leaves: listLeaves(plan.root).flatMap((leaf) => {
    const target = plan.targets[leaf.target];
    return target === undefined
      ? []
      : [{ path: leaf.path, target: target.id, ...servedJson(servedLeaf(target, client, catalogue)) }];
  }),
  losses: possibleLosses(plan, client, catalogue).map(({ of, id, losses }) => ({
    of,
    id,
    losses: losses.map(({ member, why }) => ({ member, why })),
  })),
});
