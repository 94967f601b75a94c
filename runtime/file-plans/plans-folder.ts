import { loadPlan } from '../../schema/plan/load-plan.ts';
import type { RoutingPlan } from '../../schema/plan/plan.ts';
import type { PlanSource } from './plan-source.ts';
import { readFolder } from './read-folder.ts';

/**
 * Returns a folder of compiled plans (`*.plan.json`), as written by `gw compile`. `prepare` requests what linking a plan needs to
 * know.
 */
export const plansFolder = (
  folder: string,
  prepare: (plan: RoutingPlan) => Promise<void> = async () => {},
): PlanSource => ({
  folder,
  read: () => readFolder(folder, ['.plan.json']),
  // A file that is not a plan throws a `PlanLoadError`, whose message is the reason for the refusal.
  toPlan: async ({ text }) => {
    const plan = loadPlan(text);
    await prepare(plan);
    return { plan, secrets: [], diagnostics: [] };
  },
});
