import { statusMatcher } from '../../schema/http/status.ts';
import { canonicalJson } from '../../schema/json/canonical.ts';
import type { Mirror, PlanNode } from '../../schema/plan/plan.ts';
import type { OutcomeClass } from './outcome-classes.ts';
import type { Identify } from './situation.ts';

/** Writes a tree without names and places. Two trees with the same text do the same, whatever the state of their targets. */
export const treeText = (root: PlanNode, identify: Identify, classes: readonly OutcomeClass[]): string => {
  const copy = ({ percent, leaf }: Mirror): unknown => [percent, identify(leaf).whole];
  const bare = (node: PlanNode): unknown => {
    switch (node.kind) {
      case 'leaf':
        return identify(node).whole;
      case 'loadbalance': {
        const branches = node.branches.map(({ weight, node: branch }) => [weight, shape(branch)]);
        return { balance: node.balance, sticky: node.sticky, require: node.require, branches };
      }
      case 'fallback': {
        const triggers = statusMatcher(node.on);
        const on = classes.flatMap(({ outcome }, index) => (triggers(outcome) ? [index] : []));
        const { hedge, continues, require } = node;
        return { on, hedge, continues, require, branches: node.branches.map(shape) };
      }
      case 'conditional': {
        const { cases, otherwise, branches } = node;
        return { cases: cases.map(({ when, branch }) => [when, branch]), otherwise, branches: branches.map(shape) };
      }
    }
  };
  const shape = (node: PlanNode): unknown =>
    node.mirrors === undefined ? bare(node) : { node: bare(node), mirrors: node.mirrors.map(copy) };
  return canonicalJson(shape(root));
};
