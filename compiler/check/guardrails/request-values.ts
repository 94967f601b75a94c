import { childPointer } from '../../../schema/json/pointer.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

/** Checks that a parameter value that works only for requests is not used in a check of answers. */
export const requestValues: Check = defineCheck({
  name: 'request-values',
  create: ({ reporter }) => ({
    hook({ phase, checks }) {
      if (phase !== 'output') return;
      for (const { guardrail, parameters, pointer, parametersAt } of checks)
        for (const [parameter, values] of Object.entries(guardrail?.requestValues ?? {})) {
          const value = parameters[parameter];
          if (typeof value !== 'string' || !values.includes(value)) continue;
          const place =
            parametersAt === undefined
              ? ({ pointer, part: 'key' } as const)
              : ({ pointer: childPointer(parametersAt, parameter), part: 'value' } as const);
          reporter.report('requests-only', place, { parameter, value });
        }
    },
  }),
});
