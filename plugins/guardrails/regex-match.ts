import { compileRegex } from '../../schema/regex.ts';
import { defineGuardrail, type Guardrail } from '../sdk/guardrail.ts';

/** The most characters of a text that a verdict shows. */
const mostCharacters = 100;

/** The beginning of a text, for a verdict's data. */
const textExcerpt = (text: string): string =>
  text.length > mostCharacters ? `${text.slice(0, mostCharacters)}...` : text;

/** `rule` must match somewhere in the text, or with `not`, nowhere. An empty text throws. */
export const regexMatch: Guardrail = defineGuardrail({
  id: 'default.regexMatch',
  parameters: {
    type: 'object',
    required: ['rule'],
    properties: {
      rule: { type: 'string', format: 'regex', minLength: 1, description: 'A pattern that runs in linear time (RE2).' },
      not: { type: 'boolean', default: false, description: 'The text must not match.' },
    },
  },
  create({ rule, not }) {
    const matches = compileRegex(rule);
    return ({ text }) => {
      if (text === '') throw new Error('The text is empty, so there is nothing to match.');
      const matched = matches(text);
      return {
        pass: matched !== not,
        data: {
          explanation: `The text ${matched ? 'matches' : 'does not match'} /${rule}/, ${matched === not ? `but it should${not ? ' not' : ''}` : 'as it should'}.`,
          rule,
          not,
          textExcerpt: textExcerpt(text),
        },
      };
    };
  },
});
