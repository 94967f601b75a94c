import type { SecretOwner } from '../../schema/config/trust.ts';
import type { PlanNode, Target } from '../../schema/plan/plan.ts';
import type { IrNode } from '../resolve/tree/ir-node.ts';
import { leavesBelow } from '../resolve/tree/leaves-below.ts';
import type { Lift } from './lift.ts';
import { lowerNode } from './lower-node.ts';
import { type Entry, targetTable } from './target-table.ts';

/** A plan before it is rewritten: the tree, what it can reach, and the literal secrets by slot. */
export interface Lowered {
  readonly root: PlanNode;
  readonly targets: readonly Target[];
  readonly secrets: readonly string[];
}

/**
 * Lowers a tree without mistakes, whose inherited settings are written out. `origin` is the text from which the tree was built.
 */
export const lower = (ir: IrNode, origin: SecretOwner): Lowered => {
  const entries: Entry[] = [];
  const slots = new Map<string, number>();
  const lift: Lift = {
    origin,
    toSlot: (secret) => {
      const slot = slots.get(secret) ?? slots.size;
      slots.set(secret, slot);
      return slot;
    },
  };
  const hasPrompt = leavesBelow(ir).some(({ leaf }) => leaf.prompt !== undefined);
  const root = lowerNode(ir, { entries, lift, hasPrompt });
  return { root, targets: targetTable(entries), secrets: [...slots.keys()] };
};
