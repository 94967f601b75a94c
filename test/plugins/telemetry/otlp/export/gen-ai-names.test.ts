import { expect, it } from 'vitest';
import { providerName } from '../../../../../plugins/telemetry/otlp/export/gen-ai-names.ts';

it.each([
  ['azure-openai', 'azure.ai.openai'],
  ['moonshot', 'moonshot_ai'],
  ['perplexity-ai', 'perplexity'],
  ['watsonx', 'ibm.watsonx.ai'],
  ['x-ai', 'x_ai'],
  ['groq', 'groq'],
  ['together-ai', 'together-ai'],
])('the OpenTelemetry name of %s is %s', (id, name) => {
  expect(providerName(id)).toBe(name);
});
