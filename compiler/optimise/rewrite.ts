import type { PlanNode } from '../../schema/plan/plan.ts';

/** A named law: where its condition holds, the node it gives means the same as the one it takes. */
export interface Rewrite {
  readonly name: string;
  /** The law in one line, with its condition. */
  readonly law: string;
  /** The same object where the law does not apply. The node's branches are rewritten already. */
  rewrite(node: PlanNode): PlanNode;
}
