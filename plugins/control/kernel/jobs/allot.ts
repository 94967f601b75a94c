import type { FairShares } from '../../../sdk/fairness/fair-shares.ts';
import type { DueJobs } from './job-store.ts';

/**
 * Takes places for jobs that are due: for each tenant in its turn, as long as there are any. Answers how many places each has
 * taken. Whoever has more jobs than places keeps its turn for the next time.
 */
export const allot = (shares: FairShares, dueJobs: readonly DueJobs[]): ReadonlyMap<string, number> => {
  const left = new Map(dueJobs.map(({ tenant, due }) => [tenant, due]));
  const allotted = new Map<string, number>();
  for (const tenant of shares.waiting()) if (!left.has(tenant)) shares.leave(tenant);
  for (const tenant of left.keys()) shares.wait(tenant);
  for (let tenant = shares.next(); tenant !== undefined; tenant = shares.next()) {
    allotted.set(tenant, (allotted.get(tenant) ?? 0) + 1);
    if (allotted.get(tenant) === left.get(tenant)) shares.leave(tenant);
  }
  return allotted;
};
