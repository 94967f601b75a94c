import { isNonEmpty } from '../../schema/json/json.ts';
import type { Rewrite } from './rewrite.ts';

/** A branch of weight 0 is never available and never drawn, so its load balance is the same without it. */
export const dropZeroWeight: Rewrite = {
  name: 'drop-zero-weight',
  law: 'balance[a:m, b:0] = balance[a:m]',
  rewrite(node) {
    if (node.kind !== 'loadbalance') return node;
    const branches = node.branches.filter(({ weight }) => weight > 0);
    return isNonEmpty(branches) && branches.length < node.branches.length ? { ...node, branches } : node;
  },
};
