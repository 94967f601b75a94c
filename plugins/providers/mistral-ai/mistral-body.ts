import { isJsonObject, type Json, type JsonObject } from '../../../schema/json.ts';

const message = (wire: Json): Json =>
  isJsonObject(wire) && wire.role === 'developer' ? { ...wire, role: 'system' } : wire;

/** A chat body in Mistral's words: https://docs.mistral.ai/api/#tag/chat */
export const mistralBody = ({ seed, messages, max_completion_tokens: limit, ...body }: JsonObject): JsonObject => ({
  ...(limit === undefined ? {} : { max_tokens: limit }),
  ...body,
  ...(messages === undefined ? {} : { messages: Array.isArray(messages) ? messages.map(message) : messages }),
  ...(seed === undefined ? {} : { random_seed: seed }),
  ...(body.tool_choice === 'required' ? { tool_choice: 'any' } : {}),
});
