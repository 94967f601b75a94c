import { type Check, defineCheck, hooksOf } from '../visitor/define-check.ts';

const words = {
  input: { phase: 'requests', other: 'the hooks or guardrails on answers' },
  output: { phase: 'answers', other: 'the hooks or guardrails on requests' },
} as const;

/**
 * Checks that a check runs in a phase that it supports (requests, answers, or both), and that one that compares two answers has
 * two.
 */
export const checkPhases: Check = defineCheck({
  name: 'check-phases',
  create: ({ reporter }) => ({
    node({ own, isCopy }) {
      if (isCopy === true) return;
      for (const { guardrail, pointer } of hooksOf(own).flatMap(({ checks }) => checks))
        if (guardrail?.comparesAnswers === true)
          reporter.report('nothing-to-compare', { pointer, part: 'key' }, { check: guardrail.id });
    },
    hook({ phase, checks }) {
      for (const { guardrail, pointer } of checks)
        if (guardrail?.phases !== undefined && !guardrail.phases.includes(phase))
          reporter.report('wrong-phase', { pointer, part: 'key' }, { check: guardrail.id, ...words[phase] });
    },
  }),
});
