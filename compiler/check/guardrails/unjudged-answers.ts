import { childPointer } from '../../../schema/json/pointer.ts';
import type { IrNode } from '../../resolve/tree/ir-node.ts';
import { leavesBelow } from '../../resolve/tree/leaves-below.ts';
import { findEmbedder } from '../providers/embedders.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

/** Returns the targets to which a list of checks on answers applies: those that have no list of their own. */
const targetsOf = (node: IrNode): readonly IrNode[] =>
  leavesBelow(node)
    .map(({ node: leaf }) => leaf)
    .filter(({ settings }) => settings.outputHooks?.value === node.own.outputHooks?.value);

/** Checks that a check on answers has text to judge. Vectors have none, so it would never run. */
export const unjudgedAnswers: Check = defineCheck({
  name: 'unjudged-answers',
  create: ({ models, reporter }) => ({
    node(node) {
      const { own, isCopy, config, pointer } = node;
      if (isCopy === true || (own.outputHooks?.value ?? []).length === 0) return;
      const embedders = targetsOf(node).map(findEmbedder);
      const [first] = embedders;
      if (first === undefined || !embedders.every((each) => each !== undefined)) return;
      if (embedders.some((each) => models?.find(each.provider, each.model)?.capabilities.includes('chat'))) return;
      for (const field of ['output_guardrails', 'after_request_hooks'] as const)
        if (config[field] !== undefined)
          reporter.report(
            'unjudged-answers',
            { pointer: childPointer(pointer, field), part: 'key' },
            { model: first.model },
          );
    },
  }),
});
