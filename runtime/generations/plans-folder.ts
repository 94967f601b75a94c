import { loadPlan } from '../../schema/load-plan.ts';
import type { PlanSource } from './plan-source.ts';
import { readFolder } from './read-folder.ts';

/** A folder of compiled plans (`*.plan.json`), as `gw compile` writes them. */
export const plansFolder = (folder: string): PlanSource => ({
  folder,
  read: () => readFolder(folder, ['.plan.json']),
  // A file that is not a plan throws a `PlanLoadError`, whose message is the reason for the refusal.
  toPlan: ({ text }) => ({ plan: loadPlan(text), secrets: [], diagnostics: [] }),
});
