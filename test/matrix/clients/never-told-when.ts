import type { Inability } from './client-driver.ts';

/** Of libraries that ask again only after `retry-after`: these providers do not say when. */
export const neverToldWhen: Inability = {
  scenarios: ['retry'],
  families: ['vertex-ai, Gemini', 'vertex-ai, Claude', 'bedrock', 'azure-ai', 'cohere', 'mistral-ai', 'fireworks-ai'],
  reason: 'It does not ask again where the provider does not say when.',
};
