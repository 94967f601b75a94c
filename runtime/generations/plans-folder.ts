import { loadPlan } from '../../schema/load-plan.ts';
import type { PlanSource } from './plan-source.ts';
import { readFolder } from './read-folder.ts';

/** A folder of compiled plans (`*.plan.json`), as `gw compile` writes them: run as they are. */
export const plansFolder = (folder: string): PlanSource => ({
  folder,
  read: () => readFolder(folder, ['.plan.json']),
  // What is not a plan throws a `PlanLoadError`, whose message is the reason that the file is refused for.
  toPlan: ({ text }) => ({ plan: loadPlan(text), secrets: [], diagnostics: [] }),
});
