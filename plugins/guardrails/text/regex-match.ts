import { compileFinder, compileRegex } from '../../../schema/text/regex.ts';
import { defineGuardrail, type Guardrail } from '../../sdk/guardrail/guardrail.ts';
import { notEmpty } from '../shared/not-empty.ts';
import { notParameter } from '../shared/not-parameter.ts';
import { saidText } from '../shared/said-text.ts';
import { shownExcerpt } from '../shared/shown-excerpt.ts';
import { statementVerdict } from '../shared/statement-verdict.ts';

/**
 * `rule` must match somewhere in the text or, with `not`, nowhere. Throws for an empty text. If a rule anchors the beginning or
 * the end, the text is also matched without names and undocumented members.
 */
export const regexMatch: Guardrail = defineGuardrail({
  id: 'default.regexMatch',
  parameters: {
    type: 'object',
    required: ['rule'],
    properties: {
      rule: { type: 'string', format: 'regex', minLength: 1, description: 'A pattern that runs in linear time (RE2).' },
      not: notParameter,
    },
  },
  parts({ rule, not }) {
    const { reach } = compileFinder(rule);
    // A pattern that must match may do so in any part, so only the whole text can fail.
    return not && reach !== undefined ? { overlap: Math.max(reach - 1, 0) } : undefined;
  },
  create({ rule, not }) {
    const matches = compileRegex(rule);
    return (input) => {
      const { text } = input;
      const said = saidText(input);
      return statementVerdict({
        holds: matches(notEmpty(text)) || (said !== text && said !== '' && matches(said)),
        not,
        words: [`The text matches /${rule}/`, `The text does not match /${rule}/`],
        data: { rule, ...shownExcerpt(input.phase, text) },
      });
    };
  },
});
