import { headerValue, type RawHeaders } from '../../plugins/sdk/http/http.ts';
import type { Usage } from '../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import { readBilled } from '../../schema/usage/read-billed.ts';
import { countIn, knownUsage, objectIn, readStatedUsage } from '../../schema/usage/read-stated-usage.ts';

/** https://ai.google.dev/api/generate-content#UsageMetadata */
const fromUsageMetadata = (usage: JsonObject): Usage | undefined => {
  const input = countIn(usage, 'promptTokenCount');
  const answered = countIn(usage, 'candidatesTokenCount');
  const reasoning = countIn(usage, 'thoughtsTokenCount');
  if (input === undefined && answered === undefined) return undefined;
  return knownUsage({
    input: (input ?? 0) + (countIn(usage, 'toolUsePromptTokenCount') ?? 0),
    output: (answered ?? 0) + (reasoning ?? 0),
    cacheRead: countIn(usage, 'cachedContentTokenCount'),
    reasoning,
  });
};

/**
 * Cohere's `meta`, and the `usage` of its chat: `tokens` are what the model processed, and `billed_units` what is charged, which
 * is the only count of many endpoints. https://docs.cohere.com/reference/rerank
 */
const fromCohere = (meta: JsonObject): Usage | undefined => {
  const [tokens, billed] = [objectIn(meta, 'tokens'), objectIn(meta, 'billed_units')];
  const processed = { input: countIn(tokens, 'input_tokens'), output: countIn(tokens, 'output_tokens') };
  const charged = { input: countIn(billed, 'input_tokens'), output: countIn(billed, 'output_tokens') };
  const input = processed.input ?? charged.input;
  const output = processed.output ?? charged.output;
  const searches = countIn(billed, 'search_units');
  if (input === undefined && output === undefined && searches === undefined) return undefined;
  return knownUsage({
    input: input ?? 0,
    output: output ?? 0,
    cacheRead: countIn(meta, 'cached_tokens'),
    billed: readBilled(processed, charged),
    calls: searches === undefined ? undefined : { search: searches },
  });
};

/**
 * Reads the counts of Amazon's models, and those that Bedrock adds to the last part of each stream. Cached tokens are counted
 * separately: https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html
 */
const fromBedrock = (usage: JsonObject): Usage | undefined => {
  const input = countIn(usage, 'inputTokens', 'inputTokenCount');
  const output = countIn(usage, 'outputTokens', 'outputTokenCount');
  if (input === undefined || output === undefined) return undefined;
  const cacheRead = countIn(usage, 'cacheReadInputTokens', 'cacheReadInputTokenCount');
  const cacheWrite = countIn(usage, 'cacheWriteInputTokens', 'cacheWriteInputTokenCount');
  return knownUsage({ input: input + (cacheRead ?? 0) + (cacheWrite ?? 0), output, cacheRead, cacheWrite });
};

/**
 * Returns the counts that Bedrock states in the headers of whole answers, for models whose bodies have none. Undefined if there
 * are none.
 */
export const figuresInHeaders = (headers: RawHeaders): Usage | undefined => {
  const [input = '', output = ''] = ['input', 'output'].map((name) =>
    headerValue(headers, `x-amzn-bedrock-${name}-token-count`),
  );
  return /^\d{1,15}$/.test(input) && /^\d{1,15}$/.test(output)
    ? { input: Number(input), output: Number(output) }
    : undefined;
};

/** The top-level members of an answer that have figures, and functions that read them. Undefined if they have none. */
export const passedFigures: readonly (readonly [member: string, read: (value: JsonObject) => Usage | undefined])[] = [
  ['amazon-bedrock-invocationMetrics', fromBedrock],
  ['usage', (usage) => readStatedUsage(usage) ?? fromCohere(usage) ?? fromBedrock(usage)],
  ['usageMetadata', fromUsageMetadata],
  ['meta', fromCohere],
];
