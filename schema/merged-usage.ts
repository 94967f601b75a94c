import type { Usage } from './conversation.ts';

/** What a stream has said of its usage, after it has said more: a count that is missing now is the earlier one. */
export const mergedUsage = (before: Usage | undefined, { missing, ...now }: Usage): Usage => {
  const { missing: missingBefore, ...earlier } = before ?? { missing, input: 0, output: 0 };
  const isKnown = (count: 'input' | 'output'): boolean => missingBefore?.includes(count) !== true;
  const still = missing?.filter((count) => !isKnown(count)) ?? [];
  const kept = Object.fromEntries((missing ?? []).filter(isKnown).map((count) => [count, earlier[count]]));
  return { ...earlier, ...now, ...kept, ...(still.length > 0 ? { missing: still } : {}) };
};
