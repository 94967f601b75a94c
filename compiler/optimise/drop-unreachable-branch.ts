import { isNonEmpty } from '../../schema/json/json.ts';
import type { Rewrite } from './rewrite.ts';

/** A conditional uses only the branches that its cases and `otherwise` name. */
export const dropUnreachableBranch: Rewrite = {
  name: 'drop-unreachable-branch',
  law: 'if(p → a, else b){a, b, c} = if(p → a, else b){a, b}',
  rewrite(node) {
    if (node.kind !== 'conditional') return node;
    const named = new Set([...node.cases.map(({ branch }) => branch), node.otherwise]);
    const kept = node.branches.flatMap((branch, index) => (named.has(index) ? [{ branch, index }] : []));
    const branches = kept.map(({ branch }) => branch);
    if (!isNonEmpty(branches) || branches.length === node.branches.length) return node;
    const moved = (from: number): number => kept.findIndex(({ index }) => index === from);
    const cases = node.cases.map(({ when, branch }) => ({ when, branch: moved(branch) }));
    return { ...node, branches, cases, otherwise: moved(node.otherwise) };
  },
};
