import { defineGuardrail, type Guardrail } from '../../sdk/guardrail/guardrail.ts';
import { notEmpty } from '../shared/not-empty.ts';
import { notParameter } from '../shared/not-parameter.ts';
import { saidText } from '../shared/said-text.ts';
import { shownExcerpt } from '../shared/shown-excerpt.ts';
import { statementVerdict } from '../shared/statement-verdict.ts';

interface LetterCase {
  readonly id: string;
  readonly alias: string;
  /** The required case. */
  readonly name: 'upper' | 'lower';
  /** Matches a letter of the other case. */
  readonly other: RegExp;
}

/**
 * Creates a check of the case of letters. Only the letters A to Z are compared, so a text without any passes. Throws for an empty
 * text.
 */
const letterCase = ({ id, alias, name, other }: LetterCase): Guardrail =>
  defineGuardrail({
    id,
    aliases: [alias],
    parameters: { type: 'object', properties: { not: notParameter } },
    // One letter decides, and it is in some part.
    parts: ({ not }) => (not ? undefined : { overlap: 0 }),
    create({ not }) {
      return (input) => {
        notEmpty(input.text);
        const text = saidText(input);
        return statementVerdict({
          holds: !other.test(text),
          not,
          words: [`All letters are in ${name} case`, `Some letters are not in ${name} case`],
          data: shownExcerpt(input.phase, text),
        });
      };
    },
  });

/** All letters must be upper case. */
export const allUpperCase: Guardrail = letterCase({
  id: 'default.alluppercase',
  alias: 'default.isAllUpperCase',
  name: 'upper',
  other: /[a-z]/,
});

/** All letters must be lower case. */
export const allLowerCase: Guardrail = letterCase({
  id: 'default.alllowercase',
  alias: 'default.isAllLowerCase',
  name: 'lower',
  other: /[A-Z]/,
});
