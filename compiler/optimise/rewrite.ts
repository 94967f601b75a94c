import type { PlanNode } from '../../schema/plan/plan.ts';

/** A named law: where its condition holds, the node it gives means the same as the one it takes. */
export interface Rewrite {
  readonly name: string;
  /** The law in one line, with its condition. */
  readonly law: string;
  /**
   * Whether it leaves out leaves that a group above could take for able, though no request comes to them: it is not applied below
   * a group that requires that. False if absent.
   */
  readonly dropsLeaves?: true;
  /** The same object where the law does not apply. The node's branches are rewritten already. */
  rewrite(node: PlanNode): PlanNode;
}
