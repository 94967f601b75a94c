import type { Usage } from '../conversation/conversation.ts';
import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { readCounts } from './read-counts.ts';

/** Returns the first of the members that is a count. */
export const countIn = (object: JsonObject, ...names: readonly string[]): number | undefined => {
  for (const name of names) {
    const value = object[name];
    if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value;
  }
  return undefined;
};

/** Returns the first of the members that is an object; an empty object if none is. */
export const objectIn = (object: JsonObject, ...names: readonly string[]): JsonObject => {
  for (const name of names) {
    const value: Json | undefined = object[name];
    if (isJsonObject(value)) return value;
  }
  return {};
};

/** Returns a usage without its undefined members. */
export const knownUsage = (usage: { readonly [Key in keyof Usage]: Usage[Key] | undefined }): Usage => ({
  input: 0,
  output: 0,
  ...Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== undefined)),
});

/**
 * Reads the usage of a transcription by models that are charged by time:
 * https://platform.openai.com/docs/api-reference/audio/json-object
 */
const fromDuration = (usage: JsonObject): Usage | undefined => {
  const seconds = usage.type === 'duration' ? countIn(usage, 'seconds') : undefined;
  return seconds === undefined ? undefined : { input: 0, output: 0, audioSeconds: seconds };
};

/**
 * Reads a `usage` in the form of OpenAI, Anthropic and vendors that follow them. Anthropic counts cache reads and writes
 * separately. Some vendors report only a total, or a total and one of the two counts.
 */
const fromTokens = (usage: JsonObject): Usage | undefined => {
  const total = countIn(usage, 'total_tokens');
  const inputs = objectIn(usage, 'prompt_tokens_details', 'input_tokens_details', 'input_token_details');
  const outputs = objectIn(usage, 'completion_tokens_details', 'output_tokens_details', 'output_token_details');
  const read = countIn(usage, 'cache_read_input_tokens');
  const written = countIn(usage, 'cache_creation_input_tokens');
  const reasoning = countIn(outputs, 'reasoning_tokens');
  // Mistral reports both, and charges for one of them: https://docs.mistral.ai/capabilities/audio_transcription
  const audioSeconds = countIn(usage, 'prompt_audio_seconds');
  const counts =
    readCounts({
      input: countIn(usage, 'prompt_tokens', 'input_tokens'),
      output: countIn(usage, 'completion_tokens', 'output_tokens'),
      // If cached tokens are counted separately, a total may include them.
      total: total === undefined ? undefined : total - (read ?? 0) - (written ?? 0),
      reasoning,
      rest: audioSeconds === undefined ? 'output' : 'input',
    }) ?? (total === undefined ? undefined : { input: total, output: 0 });
  if (counts === undefined) return undefined;
  return knownUsage({
    input: counts.input + (read ?? 0) + (written ?? 0),
    output: counts.output,
    cacheRead: read ?? countIn(inputs, 'cached_tokens'),
    cacheWrite: written,
    cacheReadAudio: countIn(objectIn(inputs, 'cached_tokens_details'), 'audio_tokens'),
    inputAudio: countIn(inputs, 'audio_tokens'),
    inputImage: countIn(inputs, 'image_tokens'),
    reasoning,
    audioSeconds,
    outputAudio: countIn(outputs, 'audio_tokens'),
    outputImage: countIn(outputs, 'image_tokens'),
  });
};

/**
 * Reads a `usage` in the form of OpenAI, Anthropic and vendors that follow them, for any kind of response: tokens, or seconds of
 * audio. Undefined if it has none of these.
 */
export const readStatedUsage = (usage: JsonObject): Usage | undefined => fromTokens(usage) ?? fromDuration(usage);
