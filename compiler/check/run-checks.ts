import { rootPointer } from '../../schema/json/pointer.ts';
import type { CompileContext } from '../resolve/context/compile-context.ts';
import type { IrNode } from '../resolve/tree/ir-node.ts';
import { checks } from './checks.ts';
import { type Check, hooksOf, type IrParent, type Visitor } from './visitor/define-check.ts';

const visit = (node: IrNode, parent: IrParent | undefined, visitors: readonly Visitor[]): void => {
  const { shape, own } = node;
  const hooks = hooksOf(own);
  for (const visitor of visitors) {
    visitor.node?.(node, parent);
    if (shape.kind === 'leaf') visitor.leaf?.(node, shape);
    else visitor.group?.(node, shape);
    for (const hook of hooks) visitor.hook?.(hook);
  }
  // A copy is called by itself, whichever group its mirror belongs to.
  if (node.mirror !== undefined) visit(node.mirror.target, undefined, visitors);
  if (shape.kind === 'group')
    shape.targets.forEach((target, index) => {
      visit(target, { node, group: shape, index }, visitors);
    });
};

/** Runs every check over the tree, and the checks of `advice`, in one pass. */
export const runChecks = (root: IrNode, context: CompileContext, advice: readonly Check[]): void => {
  // If a part of a config cannot be used, advice about the rest might be wrong.
  const isReadable = context.sound.isFullyUsable(rootPointer);
  const asked = isReadable ? [...checks, ...advice] : checks;
  const visitors = asked.map((check) => check.create(context));
  visit(root, undefined, visitors);
  for (const visitor of visitors) visitor.end?.(root);
};
