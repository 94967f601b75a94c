import type { Guardrail } from '../../sdk/guardrail/guardrail.ts';
import { defineLazyGuardrail } from '../../sdk/guardrail/lazy-guardrail.ts';

/**
 * Detects texts that try to change the instructions of a model: that make it ignore or reveal them, or play a role without them;
 * message borders; and instructions in invisible characters. It recognises phrases rather than meanings, so it is one defence
 * among others.
 */
export const promptInjection: Guardrail = defineLazyGuardrail({
  id: 'default.promptInjection',
  parameters: {
    type: 'object',
    properties: {
      threshold: {
        type: 'number',
        minimum: 0.1,
        maximum: 1,
        default: 0.5,
        description: 'The score, from 0 to 1, at or above which a text fails.',
      },
      not: { type: 'boolean', default: false, description: 'Pass only texts that reach the threshold.' },
    },
  },
  load: async () => (await import('./judge-injection.ts')).judgeInjection,
});
