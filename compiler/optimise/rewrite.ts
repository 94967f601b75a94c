import type { PlanNode } from '../../schema/plan/plan.ts';

/** A named law. If its condition holds, the node that it returns means the same as the node that it gets. */
export interface Rewrite {
  readonly name: string;
  /** The law in one line, with its condition. */
  readonly law: string;
  /**
   * Whether it removes leaves that no request reaches but that a group above could consider able. It is not applied below a group
   * that requires able branches. False if absent.
   */
  readonly dropsLeaves?: true;
  /** Returns the same object if the law does not apply. The node's branches are rewritten already. */
  rewrite(node: PlanNode): PlanNode;
}
