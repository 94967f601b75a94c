import { formatPlaces } from '../../../plugins/sdk/parameters/format-places.ts';
import { childPointer, fromPointer } from '../../../schema/json/pointer.ts';
import { canMatch } from '../../../schema/text/can-match.ts';
import { regexProgram } from '../../../schema/text/regex.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

/** Checks that the patterns of guardrails can match. One that never does finds and replaces nothing. */
export const impossiblePatterns: Check = defineCheck({
  name: 'impossible-patterns',
  create: ({ reporter }) => ({
    hook({ checks }) {
      for (const { guardrail, valid, parametersAt } of checks) {
        if (guardrail === undefined || valid === undefined || parametersAt === undefined) continue;
        for (const { at, text } of formatPlaces(guardrail.parameters, valid, 'regex')) {
          // A rule such as "/a^/m" has flags, and slashes that are not part of its pattern.
          const hasFlags = guardrail.readsFlags === true && text.startsWith('/');
          if (hasFlags || canMatch(regexProgram(text))) continue;
          const pointer = childPointer(parametersAt, ...fromPointer(at));
          reporter.report('matches-no-text', { pointer, part: 'value' }, {});
        }
      }
    },
  }),
});
