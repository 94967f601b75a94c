import type { Usage } from '../../../schema/conversation.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { numberOf, objectOf, textOf } from '../../../schema/loose.ts';
import { readCounts, readTotal } from '../../../schema/read-counts.ts';
import { defined } from '../wire/defined.ts';
import { toldCounts } from '../wire/told-counts.ts';

/**
 * https://platform.openai.com/docs/api-reference/chat/object#chat-object-usage: `prompt_tokens` counts cached ones too.
 * The service tier stands beside the usage here. Undefined where neither of the two counts can be read. Mistral's total has
 * the tokens of sounds too, which its prompt has not: https://docs.mistral.ai/capabilities/audio_transcription
 */
export const decodeUsage = (wire: JsonObject | undefined, tier?: string): Usage | undefined => {
  if (wire === undefined) return undefined;
  const prompt = objectOf(wire.prompt_tokens_details);
  const completion = objectOf(wire.completion_tokens_details);
  const reasoning = numberOf(completion?.reasoning_tokens);
  const counts = readCounts({
    input: numberOf(wire.prompt_tokens),
    output: numberOf(wire.completion_tokens),
    total: numberOf(wire.total_tokens),
    reasoning,
    rest: numberOf(wire.prompt_audio_seconds) === undefined ? 'output' : 'input',
  });
  if (counts === undefined) return undefined;
  return defined({
    ...counts,
    cacheRead: numberOf(prompt?.cached_tokens),
    cacheWrite: numberOf(prompt?.cache_write_tokens),
    reasoning,
    inputAudio: numberOf(prompt?.audio_tokens),
    inputImage: numberOf(prompt?.image_tokens),
    outputAudio: numberOf(completion?.audio_tokens),
    outputImage: numberOf(completion?.image_tokens),
    tier,
    raw: { chat: wire },
  });
};

const details = (members: { readonly [name: string]: number | undefined }): JsonObject | undefined => {
  const known = defined(members) as JsonObject;
  return Object.keys(known).length > 0 ? known : undefined;
};

/** Without the service tier, which stands beside it. */
export const encodeUsage = (usage: Usage): JsonObject => {
  const { input, output, total } = toldCounts(usage);
  return defined({
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: total,
    prompt_tokens_details: details({
      cached_tokens: usage.cacheRead,
      cache_write_tokens: usage.cacheWrite,
      audio_tokens: usage.inputAudio,
      image_tokens: usage.inputImage,
    }),
    completion_tokens_details: details({
      reasoning_tokens: usage.reasoning,
      audio_tokens: usage.outputAudio,
      image_tokens: usage.outputImage,
    }),
  }) as JsonObject;
};

/** The token counts of an answer or of a chunk, or their total where it tells no other. */
export const usageOf = (wire: JsonObject): Usage | undefined => {
  const usage = objectOf(wire.usage);
  return decodeUsage(usage, textOf(wire.service_tier)) ?? readTotal(numberOf(usage?.total_tokens));
};
