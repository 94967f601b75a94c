import type { Replacement } from '../../../plugins/sdk/guardrail/guardrail.ts';

/** Returns the one replacement that turns one text into another, or none if they are the same. */
export const textDifference = (before: string, after: string): readonly Replacement[] => {
  if (before === after) return [];
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) from += 1;
  let same = 0;
  while (same < shorter - from && before[before.length - 1 - same] === after[after.length - 1 - same]) same += 1;
  return [{ span: 0, from, to: before.length - same, with: after.slice(from, after.length - same) }];
};
