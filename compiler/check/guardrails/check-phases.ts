import { type Check, defineCheck } from '../visitor/define-check.ts';

const words = {
  input: { phase: 'requests', other: 'the hooks or guardrails on answers' },
  output: { phase: 'answers', other: 'the hooks or guardrails on requests' },
} as const;

/** A check runs on what it is made for: requests, answers, or both. */
export const checkPhases: Check = defineCheck({
  name: 'check-phases',
  create: ({ reporter }) => ({
    hook({ phase, checks }) {
      for (const { guardrail, pointer } of checks)
        if (guardrail?.phases !== undefined && !guardrail.phases.includes(phase))
          reporter.report('wrong-phase', { pointer, part: 'key' }, { check: guardrail.id, ...words[phase] });
    },
  }),
});
