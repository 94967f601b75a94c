import type { TextSpan } from '../../sdk/dialect/text-span.ts';
import { defineGuardrail, type Guardrail, pass } from '../../sdk/guardrail/guardrail.ts';
import { callsTools } from '../shared/calls-tools.ts';
import { notParameter } from '../shared/not-parameter.ts';
import { statementVerdict } from '../shared/statement-verdict.ts';

const isBeside: ReadonlySet<TextSpan['kind']> = new Set(['reasoning', 'citation', 'other']);

/** The answer must have content that is not blank. An answer that calls tools needs no content, and passes. */
export const notNull: Guardrail = defineGuardrail({
  id: 'default.notNull',
  phases: ['output'],
  parameters: { type: 'object', properties: { not: notParameter } },
  create({ not }) {
    return ({ spans, answer = {} }) => {
      if (spans.some(({ kind }) => kind === 'tool-arguments') || callsTools(answer))
        return pass('The answer calls tools, so it needs no content.');
      return statementVerdict({
        holds: spans.some(({ kind, text }) => !isBeside.has(kind) && text.trim() !== ''),
        not,
        words: ['The answer has content', 'The answer has no content'],
      });
    };
  },
});
