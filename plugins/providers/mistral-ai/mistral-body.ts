import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { asSystem } from '../row-parts/as-system.ts';
import { withAcceptedIds } from './mistral-ids.ts';
import { mistralPart } from './mistral-part.ts';
import { ownTurn } from './own-turn.ts';

const message = (wire: Json): Json => {
  const said = asSystem(ownTurn(wire));
  return isJsonObject(said) && Array.isArray(said.content) ? { ...said, content: said.content.map(mistralPart) } : said;
};

/** Every stream has usage at its end, and `stream_options` is answered with 422. */
export const mistralBody = (wire: JsonObject): JsonObject => {
  const { seed, messages, max_completion_tokens: limit, stream_options: _, ...body } = wire;
  return {
    ...(limit === undefined ? {} : { max_tokens: limit }),
    ...body,
    ...(messages === undefined
      ? {}
      : { messages: Array.isArray(messages) ? withAcceptedIds(messages.map(message)) : messages }),
    ...(seed === undefined ? {} : { random_seed: seed }),
    ...(body.tool_choice === 'required' ? { tool_choice: 'any' } : {}),
  };
};
