import type { IrNode } from '../../resolve/tree/ir-node.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

/** A check that compares two answers stands where there are two. */
export const comparisons: Check = defineCheck({
  name: 'comparisons',
  create: ({ reporter }) => {
    const mirrored = new Set<IrNode>();
    return {
      node(node) {
        if (node.mirror !== undefined) mirrored.add(node.mirror.target);
        if (mirrored.has(node)) return;
        const hooks = [...(node.own.inputHooks?.value ?? []), ...(node.own.outputHooks?.value ?? [])];
        for (const { guardrail, pointer } of hooks.flatMap(({ checks }) => checks))
          if (guardrail?.comparesAnswers === true)
            reporter.report('nothing-to-compare', { pointer, part: 'key' }, { check: guardrail.id });
      },
    };
  },
});
