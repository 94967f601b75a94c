import type { Guardrail } from '../../../plugins/sdk/guardrail/guardrail.ts';
import { continuationObstacle, type JudgingHook } from '../../../plugins/sdk/guardrail/stream-mode.ts';
import { findCheck } from '../../../plugins/sdk/plugin/catalogue.ts';
import { childPointer } from '../../../schema/json/pointer.ts';
import { continuesOn, statusCodes } from '../../lower/status-codes.ts';
import type { IrNode } from '../../resolve/tree/ir-node.ts';
import { leavesBelow } from '../../resolve/tree/leaves-below.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

interface Idle {
  readonly why: string;
  readonly suggestion: string;
}

/** Returns why no stream of a fallback can ever continue. */
const whyNever = ({ config }: IrNode, targets: number): Idle | undefined => {
  if (targets < 2)
    return { why: 'there is no other target where a stream could continue', suggestion: 'Add a target.' };
  const codes = config.strategy?.on_status_codes ?? config.on_status_codes;
  if (codes === undefined || continuesOn({ kind: 'codes', codes: statusCodes(codes) })) return undefined;
  return {
    why: 'a stream that is cut counts as 502, one that falls silent as 408, and "on_status_codes" has neither',
    suggestion: 'Add 502 or 408 to "on_status_codes".',
  };
};

const reasons = {
  any: { why: 'may deny or change answers, so its own streams do not continue elsewhere either' },
  whole: { why: 'may change answers, and judge them whole' },
} as const;

const judgingHooks = ({ settings }: IrNode): readonly JudgingHook[] =>
  (settings.outputHooks?.value ?? []).map((hook) => ({
    ...hook,
    checks: hook.checks.map((check) => ({ ...check, check: check.name, parameters: check.valid ?? check.parameters })),
  }));

/** Checks that streams that should continue can: there is another target, and its checks only report. */
export const continuedStreams: Check = defineCheck({
  name: 'continued-streams',
  create: ({ catalogue, reporter }) => ({
    group(node, { mode, targets }) {
      if (mode !== 'fallback' || node.config.strategy?.continue !== true) return;
      const never = whyNever(node, targets.length);
      if (never !== undefined) {
        const place = { pointer: childPointer(node.pointer, 'strategy', 'continue'), part: 'key' } as const;
        reporter.report('no-effect', place, { setting: 'continue', ...never });
        return;
      }
      const findGuardrail = (id: string): Guardrail | undefined => findCheck(catalogue, id);
      for (const [index, target] of targets.entries())
        for (const { node: leaf } of leavesBelow(target)) {
          const why = continuationObstacle(judgingHooks(leaf), findGuardrail);
          // A stream that is held completely has not begun for its client, so the first target's stream starts anew at the next
          // target.
          if (why === undefined || (why === 'whole' && index === 0)) continue;
          reporter.report('never-continued', { pointer: leaf.pointer, part: 'value' }, reasons[why]);
        }
    },
  }),
});
