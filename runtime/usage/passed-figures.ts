import type { Usage } from '../../schema/conversation/conversation.ts';
import { isJsonObject, type Json, type JsonObject } from '../../schema/json/json.ts';
import { readBilled } from '../../schema/usage/read-billed.ts';
import { readCounts } from '../../schema/usage/read-counts.ts';

const countIn = (object: JsonObject, ...names: readonly string[]): number | undefined => {
  for (const name of names) {
    const value = object[name];
    if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value;
  }
  return undefined;
};

const objectIn = (object: JsonObject, ...names: readonly string[]): JsonObject => {
  for (const name of names) {
    const value: Json | undefined = object[name];
    if (isJsonObject(value)) return value;
  }
  return {};
};

const known = (usage: { readonly [Key in keyof Usage]: Usage[Key] | undefined }): Usage => ({
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
 * A `usage` as OpenAI, Anthropic and those who follow them write it. Anthropic counts what its cache read and wrote apart;
 * some vendors count only a total, or a total and one of the two.
 */
const fromUsage = (usage: JsonObject): Usage | undefined => {
  const total = countIn(usage, 'total_tokens');
  const inputs = objectIn(usage, 'prompt_tokens_details', 'input_tokens_details', 'input_token_details');
  const outputs = objectIn(usage, 'completion_tokens_details', 'output_tokens_details', 'output_token_details');
  const read = countIn(usage, 'cache_read_input_tokens');
  const written = countIn(usage, 'cache_creation_input_tokens');
  const reasoning = countIn(outputs, 'reasoning_tokens');
  const counts =
    readCounts({
      input: countIn(usage, 'prompt_tokens', 'input_tokens'),
      output: countIn(usage, 'completion_tokens', 'output_tokens'),
      // Where cached tokens are counted apart, a total may have them.
      total: total === undefined ? undefined : total - (read ?? 0) - (written ?? 0),
      reasoning,
      rest: countIn(usage, 'prompt_audio_seconds') === undefined ? 'output' : 'input',
    }) ?? (total === undefined ? undefined : { input: total, output: 0 });
  if (counts === undefined) return undefined;
  return known({
    input: counts.input + (read ?? 0) + (written ?? 0),
    output: counts.output,
    cacheRead: read ?? countIn(inputs, 'cached_tokens'),
    cacheWrite: written,
    inputAudio: countIn(inputs, 'audio_tokens'),
    inputImage: countIn(inputs, 'image_tokens'),
    reasoning,
    outputAudio: countIn(outputs, 'audio_tokens'),
    outputImage: countIn(outputs, 'image_tokens'),
  });
};

/** https://ai.google.dev/api/generate-content#UsageMetadata */
const fromUsageMetadata = (usage: JsonObject): Usage | undefined => {
  const input = countIn(usage, 'promptTokenCount');
  const answered = countIn(usage, 'candidatesTokenCount');
  const reasoning = countIn(usage, 'thoughtsTokenCount');
  if (input === undefined && answered === undefined) return undefined;
  return known({
    input: (input ?? 0) + (countIn(usage, 'toolUsePromptTokenCount') ?? 0),
    output: (answered ?? 0) + (reasoning ?? 0),
    cacheRead: countIn(usage, 'cachedContentTokenCount'),
    reasoning,
  });
};

/**
 * Cohere's `meta`, and the `usage` of its chat: `tokens` are what the model processed, and `billed_units` what is charged, the
 * only count of many endpoints. https://docs.cohere.com/reference/rerank
 */
const fromCohere = (meta: JsonObject): Usage | undefined => {
  const [tokens, billed] = [objectIn(meta, 'tokens'), objectIn(meta, 'billed_units')];
  const processed = { input: countIn(tokens, 'input_tokens'), output: countIn(tokens, 'output_tokens') };
  const charged = { input: countIn(billed, 'input_tokens'), output: countIn(billed, 'output_tokens') };
  const input = processed.input ?? charged.input;
  const output = processed.output ?? charged.output;
  const searches = countIn(billed, 'search_units');
  if (input === undefined && output === undefined && searches === undefined) return undefined;
  return known({
    input: input ?? 0,
    output: output ?? 0,
    cacheRead: countIn(meta, 'cached_tokens'),
    billed: readBilled(processed, charged),
    calls: searches === undefined ? undefined : { search: searches },
  });
};

/** The members at the top of an answer that have figures, and how they are read; undefined if they have none. */
export const passedFigures: readonly (readonly [member: string, read: (value: JsonObject) => Usage | undefined])[] = [
  ['usage', (usage) => fromUsage(usage) ?? fromDuration(usage) ?? fromCohere(usage)],
  ['usageMetadata', fromUsageMetadata],
  ['meta', fromCohere],
];
