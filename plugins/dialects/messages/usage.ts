import type { Usage } from '../../../schema/conversation.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { defined } from '../wire/defined.ts';
import { numberOf, objectOf } from '../wire/loose.ts';

/** https://docs.anthropic.com/en/api/messages#response-usage: `input_tokens` excludes tokens that the cache read or wrote. */
export const decodeUsage = (wire: JsonObject): Usage => {
  const cacheRead = numberOf(wire.cache_read_input_tokens);
  const cacheWrite = numberOf(wire.cache_creation_input_tokens);
  return defined({
    input: (numberOf(wire.input_tokens) ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0),
    output: numberOf(wire.output_tokens) ?? 0,
    cacheRead,
    cacheWrite,
    reasoning: numberOf(objectOf(wire.output_tokens_details)?.thinking_tokens),
    raw: { messages: wire },
  });
};

/** Clients expect usage in every answer, so an answer without it gets zeros. */
export const encodeUsage = (usage: Usage | undefined): JsonObject => {
  const { input, output, cacheRead, cacheWrite, reasoning } = usage ?? { input: 0, output: 0 };
  return {
    input_tokens: Math.max(0, input - (cacheRead ?? 0) - (cacheWrite ?? 0)),
    output_tokens: output,
    cache_creation_input_tokens: cacheWrite ?? null,
    cache_read_input_tokens: cacheRead ?? null,
    ...(reasoning === undefined ? {} : { output_tokens_details: { thinking_tokens: reasoning } }),
  };
};

/** The token counts of an answer, or of a stream's event: its start has those of the input, its last delta the output's. */
export const usageOf = (wire: JsonObject): Usage | undefined => {
  const usage = objectOf(wire.usage) ?? objectOf(objectOf(wire.message)?.usage);
  return usage === undefined ? undefined : decodeUsage(usage);
};
