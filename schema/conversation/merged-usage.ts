import type { Usage } from './conversation.ts';

/**
 * Merges a stream's new usage report with its earlier one. A count that is missing now keeps its earlier value.
 */
export const mergedUsage = (before: Usage | undefined, now: Usage): Usage => {
  if (before === undefined) return now;
  const { missing: missingBefore, atLeast: earlierTotal, ...earlier } = before;
  const { missing = [], atLeast = earlierTotal, ...later } = now;
  const isKnown = (count: 'input' | 'output'): boolean => missingBefore?.includes(count) !== true;
  const still = missing.filter((count) => !isKnown(count));
  const kept = Object.fromEntries(missing.filter(isKnown).map((count) => [count, earlier[count]]));
  const total = still.length === 2 && atLeast !== undefined ? { atLeast } : {};
  return { ...earlier, ...later, ...kept, ...(still.length > 0 ? { missing: still } : {}), ...total };
};
