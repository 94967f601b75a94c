import { collapseSingleBranch } from './collapse-single-branch.ts';
import { coprimeWeights } from './coprime-weights.ts';
import { dropDeadBranch } from './drop-dead-branch.ts';
import { dropDecidedCases } from './drop-decided-cases.ts';
import { dropUnreachableBranch } from './drop-unreachable-branch.ts';
import { dropZeroWeight } from './drop-zero-weight.ts';
import { flattenFallback } from './flatten-fallback.ts';
import { flattenLoadbalance } from './flatten-loadbalance.ts';
import type { Rewrite } from './rewrite.ts';

/**
 * Every rewrite, with those that make a plan smaller first. Each one makes the plan, its cases or its weights smaller, so
 * rewriting ends.
 */
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
