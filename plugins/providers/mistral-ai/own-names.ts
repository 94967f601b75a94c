import type { JsonObject } from '../../../schema/json/json.ts';

/** A request of OpenAI's clients with Mistral's names. Every stream has usage at its end, and `stream_options` is answered with 422. */
export const withOwnNames = ({ seed, stream_options: _, ...body }: JsonObject): JsonObject => ({
  ...body,
  ...(seed === undefined ? {} : { random_seed: seed }),
});

/** The same of a chat, whose limit has two names there; the older one counts where both are given. */
export const chatWithOwnNames = ({ max_completion_tokens: limit, ...body }: JsonObject): JsonObject =>
  withOwnNames({ ...(limit === undefined ? {} : { max_tokens: limit }), ...body });
