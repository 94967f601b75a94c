import { childPointer } from '../../../schema/json/pointer.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

/** Checks that a guardrail that should deny can do so, and that its settings do not contradict each other. */
export const guardrailDenials: Check = defineCheck({
  name: 'guardrail-denials',
  create: ({ reporter }) => ({
    node({ config, pointer }) {
      for (const field of ['input_guardrails', 'output_guardrails'] as const)
        for (const [index, guardrail] of (config[field] ?? []).entries()) {
          if (typeof guardrail === 'string' || guardrail.deny !== true) continue;
          const at = childPointer(pointer, field, index);
          if (guardrail.async === true)
            reporter.report(
              'no-effect',
              { pointer: childPointer(at, 'deny'), part: 'key' },
              {
                setting: 'deny',
                why: 'an async guardrail runs in the background, and the answer does not wait for it',
                suggestion: 'Remove "async", or remove "deny".',
              },
            );
          // Only output guardrails have a `deny` there. The members of a config are JSON.
          const outcome: object = guardrail.on_fail ?? {};
          if ('deny' in outcome && outcome.deny === false)
            reporter.report('contradicting-deny', { pointer: childPointer(at, 'on_fail', 'deny'), part: 'key' }, {});
        }
    },
  }),
});
