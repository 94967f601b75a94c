import type { Replacement } from '../../../plugins/sdk/guardrail/guardrail.ts';

/** Sorts an insertion before a replacement that starts at the same place. */
const inOrder = (a: Replacement, b: Replacement): number => a.from - b.from || a.to - b.to;

/** Returns what remains of a replacement beside others, which are sorted. Its text goes to the first remaining piece. */
const remaining = (one: Replacement, others: readonly Replacement[]): readonly Replacement[] => {
  if (one.from === one.to) return others.some(({ from, to }) => from < one.from && one.from < to) ? [] : [one];
  const pieces: Replacement[] = [];
  let { from } = one;
  const keepUntil = (to: number): void => {
    if (to > from) pieces.push({ ...one, from, to, with: pieces.length === 0 ? one.with : '' });
  };
  for (const other of others) {
    keepUntil(other.from);
    from = Math.max(from, other.to);
  }
  keepUntil(one.to);
  return pieces;
};

const ofOneSpan = (earlier: readonly Replacement[], later: readonly Replacement[]): readonly Replacement[] => {
  const over = [...later].sort(inOrder);
  let first = 0;
  const kept = [...earlier].sort(inOrder).flatMap((one) => {
    while ((over[first]?.to ?? Number.POSITIVE_INFINITY) < one.from) first += 1;
    let end = first;
    while ((over[end]?.from ?? Number.POSITIVE_INFINITY) < one.to) end += 1;
    return remaining(one, over.slice(first, end));
  });
  return [...kept, ...later].sort(inOrder);
};

/**
 * Merges two lists of replacements in the same pieces that were found independently. If both replace a part, the later list wins
 * there, and whatever else the earlier one replaces stays replaced.
 */
export const mergeReplacements = (
  earlier: readonly Replacement[],
  later: readonly Replacement[],
): readonly Replacement[] => {
  const under = Map.groupBy(earlier, ({ span }) => span);
  const over = Map.groupBy(later, ({ span }) => span);
  return [...new Set([...under.keys(), ...over.keys()])].flatMap((span) =>
    ofOneSpan(under.get(span) ?? [], over.get(span) ?? []),
  );
};
