import { whenLoaded } from '../../plugins/sdk/loading/when-loaded.ts';
import { type Catalogue, findCheck } from '../../plugins/sdk/plugin/catalogue.ts';
import type { RoutingPlan } from '../../schema/plan/plan.ts';

/** Loads the checks that a plan names, for a plan that was not compiled here. */
export const loadChecks = async (catalogue: Catalogue, { requires }: RoutingPlan): Promise<void> => {
  await whenLoaded(() => requires.plugins.checks.map((id) => findCheck(catalogue, id)?.create));
};
