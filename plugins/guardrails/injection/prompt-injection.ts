import { defineGuardrail, type Guardrail } from '../../sdk/guardrail.ts';
import { findSignals } from './find-signals.ts';
import { distinct, scoreOf } from './signal.ts';

/** The score as it is shown. */
const rounded = (score: number): number => Math.round(score * 100) / 100;

/**
 * Texts that try to change what a model was told: to ignore its instructions, tell them, or play a role without them; marks
 * of the borders of messages; orders in characters that nobody sees. It knows phrases, not meanings, so it is one defence
 * among others.
 */
export const promptInjection: Guardrail = defineGuardrail({
  id: 'default.promptInjection',
  parameters: {
    type: 'object',
    properties: {
      threshold: {
        type: 'number',
        minimum: 0.1,
        maximum: 1,
        default: 0.5,
        description: 'The score, from 0 to 1, from which on a text fails.',
      },
      not: { type: 'boolean', default: false, description: 'Pass only texts that reach the threshold.' },
    },
  },
  create({ threshold, not }) {
    return ({ spans }) => {
      const signals = distinct(spans.flatMap(({ text }) => findSignals(text)));
      const score = rounded(scoreOf(signals));
      const isFound = score >= threshold;
      return {
        pass: isFound === not,
        data: {
          explanation: `The text has a score of ${score} for prompt injection, ${isFound ? 'which reaches' : 'below'} the threshold of ${threshold}.`,
          score,
          threshold,
          signals: signals.map(({ name }) => name),
        },
      };
    };
  },
});
