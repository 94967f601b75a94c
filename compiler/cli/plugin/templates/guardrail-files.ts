import type { KindFiles, NewPlugin } from './plugin-kind.ts';

/** A check that counts words. */
export const guardrailFiles = ({ id }: NewPlugin): KindFiles => ({
  source: `import { defineGuardrail, fail, type Guardrail, pass } from 'gatewright/sdk';

/** Allows texts of at most \`limit\` words. */
export const guardrail: Guardrail = defineGuardrail({
  id: '${id}.maxWords',
  parameters: {
    type: 'object',
    required: ['limit'],
    properties: { limit: { type: 'integer', minimum: 1, description: 'How many words a text may have.' } },
  },
  create({ limit }) {
    return ({ text }) => {
      const words = text.split(/\\s+/).filter((word) => word !== '').length;
      return words <= limit ? pass() : fail(\`The text has \${words} words, and \${limit} are allowed.\`);
    };
  },
});
`,
  test: `import { test } from 'node:test';
import { testGuardrail } from 'gatewright/testing';
import { guardrail } from './guardrail.js';

test('the check counts words', () =>
  testGuardrail(guardrail, [
    { parameters: { limit: 2 }, text: 'two words', verdict: 'pass' },
    { parameters: { limit: 2 }, text: 'now three words', verdict: 'fail' },
    { parameters: { limt: 2 }, verdict: 'refused' },
  ]));
`,
  index: 'guardrails: [guardrail]',
  use: {
    text: 'A config uses the check like those that come with the gateway:',
    json: { provider: 'openai', input_guardrails: [{ [`${id}.maxWords`]: { limit: 100 }, deny: true }] },
  },
});
