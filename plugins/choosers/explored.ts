import type { ChooserDraw, ChooserTarget } from '../sdk/chooser/chooser.ts';

/** The share of requests that each branch gets regardless of what is known about it, and the maximum of all branches together. */
const shareOfEach = 0.02;
const maxShare = 0.5;

/**
 * Chooses a branch regardless of what is known about it, for two of a hundred requests for each branch. Otherwise, a recovery
 * would not be noticed. Returns undefined for all other requests.
 */
export const explored = (targets: readonly ChooserTarget[], draw: ChooserDraw): number | undefined => {
  const share = Math.min(maxShare, shareOfEach * targets.length);
  return draw.between(0, 1) < share ? draw.pick(targets.map(() => 1)) : undefined;
};
