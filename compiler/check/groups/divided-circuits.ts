import { childPointer } from '../../../schema/json/pointer.ts';
import type { IrNode, Settings } from '../../resolve/tree/ir-node.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

/** Whether a leaf below has circuits that this setting divides. */
const divides = ({ shape, settings }: IrNode, breaker: Settings['breaker']): boolean =>
  shape.kind === 'leaf'
    ? settings.cb_config !== undefined && settings.breaker?.pointer === breaker?.pointer
    : shape.targets.some((target) => divides(target, breaker));

/** There are circuits where a config says what divides them. */
export const dividedCircuits: Check = defineCheck({
  name: 'divided-circuits',
  create: ({ reporter }) => ({
    node(node) {
      const { breaker } = node.own;
      if (breaker === undefined || divides(node, breaker)) return;
      reporter.report('nothing-to-divide', { pointer: childPointer(node.pointer, 'breaker'), part: 'key' }, {});
    },
  }),
});
