import type { ChooserDraw, ChooserTarget } from '../sdk/chooser/chooser.ts';

/** The share of requests that each branch gets whatever is known of it, and the most of all branches together. */
const shareOfEach = 0.02;
const maxShare = 0.5;

/**
 * A branch that is chosen whatever is known of it, for two requests of a hundred and each branch: only so is it seen that a
 * branch has recovered. Undefined for the other requests.
 */
export const explored = (targets: readonly ChooserTarget[], draw: ChooserDraw): number | undefined => {
  const share = Math.min(maxShare, shareOfEach * targets.length);
  return draw.between(0, 1) < share ? draw.pick(targets.map(() => 1)) : undefined;
};
