import type { Usage } from '../../../schema/conversation.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { defined } from '../wire/defined.ts';
import { numberOf, objectOf } from '../wire/loose.ts';

/** https://platform.openai.com/docs/api-reference/chat/object#chat-object-usage: `prompt_tokens` counts cached ones too. */
export const decodeUsage = (wire: JsonObject): Usage => {
  const prompt = objectOf(wire.prompt_tokens_details);
  return defined({
    input: numberOf(wire.prompt_tokens) ?? 0,
    output: numberOf(wire.completion_tokens) ?? 0,
    cacheRead: numberOf(prompt?.cached_tokens),
    cacheWrite: numberOf(prompt?.cache_write_tokens),
    reasoning: numberOf(objectOf(wire.completion_tokens_details)?.reasoning_tokens),
    raw: { chat: wire },
  });
};

const details = (members: { readonly [name: string]: number | undefined }): JsonObject | undefined => {
  const known = defined(members) as JsonObject;
  return Object.keys(known).length > 0 ? known : undefined;
};

export const encodeUsage = ({ input, output, cacheRead, cacheWrite, reasoning }: Usage): JsonObject =>
  defined({
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: details({ cached_tokens: cacheRead, cache_write_tokens: cacheWrite }),
    completion_tokens_details: details({ reasoning_tokens: reasoning }),
  });

/** The token counts of an answer or of a chunk. */
export const usageOf = (wire: JsonObject): Usage | undefined => {
  const usage = objectOf(wire.usage);
  return usage === undefined ? undefined : decodeUsage(usage);
};
