import { childPointer } from '../../../schema/json/pointer.ts';
import type { IrNode } from '../../resolve/tree/ir-node.ts';
import { countsErrors } from '../settings/statuses.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

/** Whether a group chooses among available targets. */
const prefers = ({ shape }: IrNode): boolean =>
  shape.kind === 'group' && (shape.mode === undefined || shape.mode === 'fallback' || shape.mode === 'loadbalance');

const anyPrefers = (node: IrNode): boolean =>
  prefers(node) || (node.shape.kind === 'group' && node.shape.targets.some(anyPrefers));

/** Checks that a circuit has a group that can prefer other targets while it is open; without such a group it has no effect. */
export const breakerUse: Check = defineCheck({
  name: 'breaker-use',
  create: ({ reporter }) => {
    const look = (node: IrNode, below: readonly IrNode[]): void => {
      const isUsed = below.some(prefers) || anyPrefers(node) || countsErrors(node);
      if (node.own.cb_config !== undefined && !isUsed)
        reporter.report(
          'no-effect',
          { pointer: childPointer(node.pointer, 'cb_config'), part: 'key' },
          {
            setting: 'cb_config',
            why:
              below.length === 0 && node.shape.kind === 'leaf'
                ? 'an open circuit makes a group prefer other targets, and there are none'
                : 'a conditional calls the target that it chooses, whether its circuit is open or not',
            suggestion: 'Remove it, or put the target into a fallback with another one.',
          },
        );
      if (node.shape.kind === 'group') for (const target of node.shape.targets) look(target, [...below, node]);
    };
    return { end: (root) => look(root, []) };
  },
});
