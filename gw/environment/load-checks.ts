import { whenLoaded } from '../../plugins/sdk/loading/when-loaded.ts';
import type { Catalogue } from '../../plugins/sdk/plugin/catalogue.ts';
import type { RoutingPlan } from '../../schema/plan/plan.ts';

/** Loads the checks that a plan names, for a plan that was not compiled here. */
export const loadChecks = async ({ checks }: Catalogue, { requires }: RoutingPlan): Promise<void> => {
  await whenLoaded(() => requires.plugins.checks.map((id) => checks.get(id.toLowerCase())?.create));
};
