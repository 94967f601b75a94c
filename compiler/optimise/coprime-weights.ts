import { mapNonEmpty } from '../../schema/json/map-non-empty.ts';
import type { WeightedBranch } from '../../schema/plan/plan.ts';
import { coprime } from './coprime.ts';
import type { Rewrite } from './rewrite.ts';

/** Only the ratio of weights matters. It is written with the smallest whole numbers. */
export const coprimeWeights: Rewrite = {
  name: 'coprime-weights',
  law: 'balance[a:km, b:kn] = balance[a:m, b:n]',
  rewrite(node) {
    if (node.kind !== 'loadbalance') return node;
    const weights = coprime(node.branches.map(({ weight }) => BigInt(weight)));
    if (weights === undefined || node.branches.every(({ weight }, index) => weight === weights[index])) return node;
    const branches = mapNonEmpty(
      node.branches,
      (branch, index): WeightedBranch => ({ ...branch, weight: weights[index] ?? branch.weight }),
    );
    return { ...node, branches };
  },
};
