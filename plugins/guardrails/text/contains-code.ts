import { suggestName } from '../../../schema/text/closest-name.ts';
import { defineGuardrail, type Guardrail } from '../../sdk/guardrail/guardrail.ts';
import { codeBlocks } from '../shared/code-blocks.ts';
import { notEmpty } from '../shared/not-empty.ts';
import { notParameter } from '../shared/not-parameter.ts';
import { shownExcerpt } from '../shared/shown-excerpt.ts';
import { statementVerdict } from '../shared/statement-verdict.ts';
import { codeLanguage, codeLanguages } from './code-languages.ts';

const unknown = (format: string): string => {
  const advice = suggestName(format, codeLanguages, `Use one of ${codeLanguages.join(', ')}.`);
  return `"${format}" is not a known language. ${advice}`;
};

/** The text must contain a fenced code block in the language `format`. Throws for an empty text. */
export const containsCode: Guardrail = defineGuardrail({
  id: 'default.containsCode',
  parameters: {
    type: 'object',
    required: ['format'],
    properties: {
      format: { type: 'string', minLength: 1, description: 'A language, such as Python or py; case does not matter.' },
      not: notParameter,
    },
  },
  faults: ({ format }) => (codeLanguage(format) === undefined ? [unknown(format)] : []),
  create({ format, not }) {
    const language = codeLanguage(format) ?? format;
    return ({ phase, text }) => {
      const found = codeBlocks(notEmpty(text)).map(({ mark }) => codeLanguage(mark) ?? mark.toLowerCase());
      return statementVerdict({
        holds: found.includes(language),
        not,
        words: [`The text has a code block in ${language}`, `The text has no code block in ${language}`],
        data: { format: language, foundFormats: [...new Set(found)].slice(0, 20), ...shownExcerpt(phase, text) },
      });
    };
  },
});
