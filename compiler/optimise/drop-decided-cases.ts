import { canonicalJson } from '../../schema/json/canonical.ts';
import type { ConditionalCase, ConditionalNode } from '../../schema/plan/plan.ts';
import { constantCondition } from './constant-condition.ts';
import type { Rewrite } from './rewrite.ts';

/**
 * Returns the cases up to the first that always holds, which becomes `otherwise`, without those that never hold or repeat an
 * earlier one.
 */
const undecided = ({ cases, otherwise }: ConditionalNode): Pick<ConditionalNode, 'cases' | 'otherwise'> => {
  const asked = new Set<string>();
  const kept: ConditionalCase[] = [];
  for (const next of cases) {
    const holds = constantCondition(next.when);
    if (holds === true) return { cases: kept, otherwise: next.branch };
    const text = canonicalJson(next.when);
    if (holds === undefined && !asked.has(text)) kept.push(next);
    asked.add(text);
  }
  return { cases: kept, otherwise };
};

/**
 * The first case that holds chooses the branch, and conditions have no effects, so whatever cannot change the choice can be
 * removed.
 */
export const dropDecidedCases: Rewrite = {
  name: 'drop-decided-cases',
  law: 'if(true → a, …) = a; if(false → a, …) = if(…); if(p → a, …, p → b, …) = if(p → a, …); if(…, p → a, else a) = if(…, else a)',
  rewrite(node) {
    if (node.kind !== 'conditional') return node;
    const { cases, otherwise } = undecided(node);
    const last = cases.findLastIndex(({ branch }) => branch !== otherwise);
    const deciding = cases.slice(0, last + 1);
    return deciding.length < node.cases.length ? { ...node, cases: deciding, otherwise } : node;
  },
};
