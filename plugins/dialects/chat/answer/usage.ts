import type { Usage } from '../../../../schema/conversation/conversation.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { findNumber, findObject, findText } from '../../../../schema/json/loose.ts';
import type { Writable } from '../../../../schema/json/writable.ts';
import { plausibleUsage } from '../../../../schema/usage/plausible-usage.ts';
import { readCounts, readTotal } from '../../../../schema/usage/read-counts.ts';
import { statedCounts } from '../../shared/answer/stated-counts.ts';
import { defined } from '../../shared/json/defined.ts';

type Count = 'cacheRead' | 'cacheWrite' | 'reasoning' | 'inputAudio' | 'inputImage' | 'outputAudio' | 'outputImage';

const put = (usage: Writable<Usage>, name: Count, stated: Json | undefined): void => {
  const count = findNumber(stated);
  if (count !== undefined) usage[name] = count;
};

/**
 * https://platform.openai.com/docs/api-reference/chat/object#chat-object-usage: `prompt_tokens` includes cached tokens. The
 * service tier is beside the usage in this format. Returns undefined if neither of the two counts can be read. Mistral's total
 * includes the tokens of audio, which its prompt count does not: https://docs.mistral.ai/capabilities/audio_transcription
 */
export const decodeUsage = (wire: JsonObject | undefined, tier?: string): Usage | undefined => {
  if (wire === undefined) return undefined;
  const prompt = findObject(wire.prompt_tokens_details);
  const completion = findObject(wire.completion_tokens_details);
  const reasoning = findNumber(completion?.reasoning_tokens);
  const counts = readCounts({
    input: findNumber(wire.prompt_tokens),
    output: findNumber(wire.completion_tokens),
    total: findNumber(wire.total_tokens),
    reasoning,
    rest: findNumber(wire.prompt_audio_seconds) === undefined ? 'output' : 'input',
  });
  if (counts === undefined) return undefined;
  const usage: Writable<Usage> = { input: counts.input, output: counts.output, raw: { chat: wire } };
  if (counts.missing !== undefined) usage.missing = counts.missing;
  if (prompt !== undefined) {
    put(usage, 'cacheRead', prompt.cached_tokens);
    put(usage, 'cacheWrite', prompt.cache_write_tokens);
    put(usage, 'inputAudio', prompt.audio_tokens);
    put(usage, 'inputImage', prompt.image_tokens);
  }
  // DeepSeek and Moonshot report it beside the prompt's count: https://api-docs.deepseek.com/guides/kv_cache,
  // https://platform.kimi.ai/docs/api/chat
  if (usage.cacheRead === undefined) put(usage, 'cacheRead', wire.prompt_cache_hit_tokens ?? wire.cached_tokens);
  if (completion !== undefined) {
    put(usage, 'reasoning', completion.reasoning_tokens);
    put(usage, 'outputAudio', completion.audio_tokens);
    put(usage, 'outputImage', completion.image_tokens);
  }
  if (tier !== undefined) usage.tier = tier;
  return plausibleUsage(usage);
};

const details = (members: { readonly [name: string]: number | undefined }): JsonObject | undefined => {
  const known = defined(members) as JsonObject;
  return Object.keys(known).length > 0 ? known : undefined;
};

/** Omits the service tier, which is beside the usage. */
export const encodeUsage = (usage: Usage): JsonObject => {
  const { input, output, total } = statedCounts(usage);
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

/** Returns the token counts of an answer or of a chunk, or only their total if nothing else is reported. */
export const findUsage = (wire: JsonObject): Usage | undefined => {
  const usage = findObject(wire.usage);
  return decodeUsage(usage, findText(wire.service_tier)) ?? readTotal(findNumber(usage?.total_tokens));
};
