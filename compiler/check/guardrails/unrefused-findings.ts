import { childPointer } from '../../../schema/json/pointer.ts';
import { hookMayDeny } from '../../../schema/plan/may-deny.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

/** Checks that a check that is configured to block belongs to a guardrail that denies; otherwise the text passes. */
export const unrefusedFindings: Check = defineCheck({
  name: 'unrefused-findings',
  create: ({ reporter }) => ({
    hook(hook) {
      if (hook.type !== 'guardrail' || hook.async || hookMayDeny(hook)) return;
      for (const { parameters, parametersAt } of hook.checks)
        if (parameters.action === 'block' && parametersAt !== undefined)
          reporter.report(
            'no-effect',
            { pointer: childPointer(parametersAt, 'action'), part: 'value' },
            {
              setting: 'action',
              why: 'only a guardrail that denies rejects what a check finds, so the text passes',
              suggestion: 'Add "deny": true to the guardrail.',
            },
          );
    },
  }),
});
