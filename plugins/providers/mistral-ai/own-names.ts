import type { JsonObject } from '../../../schema/json/json.ts';

/**
 * Returns a request of OpenAI's clients with Mistral's names. Every stream ends with usage, and Mistral answers 422 to
 * `stream_options`.
 */
export const withOwnNames = ({ seed, stream_options: _, ...body }: JsonObject): JsonObject => ({
  ...body,
  ...(seed === undefined ? {} : { random_seed: seed }),
});

/** Does the same for a chat, whose token limit has two names at OpenAI. If both are set, the older one applies. */
export const chatWithOwnNames = ({ max_completion_tokens: limit, ...body }: JsonObject): JsonObject =>
  withOwnNames({ ...(limit === undefined ? {} : { max_tokens: limit }), ...body });
