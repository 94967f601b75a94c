import type { Inability } from './client-driver.ts';

/** For libraries that retry only after `retry-after`: these providers do not send it. */
export const neverRetries: Inability = {
  scenarios: ['retry'],
  families: ['vertex-ai, Gemini', 'vertex-ai, Claude', 'bedrock', 'azure-ai', 'cohere', 'mistral-ai', 'fireworks-ai'],
  reason: 'It does not ask again where the provider does not say when.',
};
