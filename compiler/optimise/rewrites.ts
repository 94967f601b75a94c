import { collapseSingleBranch } from './collapse-single-branch.ts';
import { coprimeWeights } from './coprime-weights.ts';
import { dropDeadBranch } from './drop-dead-branch.ts';
import { dropDecidedCases } from './drop-decided-cases.ts';
import { dropUnreachableBranch } from './drop-unreachable-branch.ts';
import { dropZeroWeight } from './drop-zero-weight.ts';
import { flattenFallback } from './flatten-fallback.ts';
import { flattenLoadbalance } from './flatten-loadbalance.ts';
import type { Rewrite } from './rewrite.ts';

/** Every rewrite, those that make a plan smaller first. Each makes the plan, its cases or its weights smaller, so they come to an end. */
export const rewrites: readonly Rewrite[] = [
  dropZeroWeight,
  dropDeadBranch,
  dropDecidedCases,
  dropUnreachableBranch,
  collapseSingleBranch,
  flattenFallback,
  flattenLoadbalance,
  coprimeWeights,
];
