import type { Usage } from '../../../../schema/conversation/conversation.ts';
import { summedUsage } from '../../../../schema/conversation/summed-usage.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findNumber, findObject, findText, toObjects, withoutNulls } from '../../../../schema/json/loose.ts';
import { plausibleUsage } from '../../../../schema/usage/plausible-usage.ts';
import { readCounts } from '../../../../schema/usage/read-counts.ts';
import { defined } from '../../shared/json/defined.ts';
import { decodeServedTier, encodeServedTier } from '../request/service-tier.ts';

/** Converts `{web_search_requests: 2}` to `{web_search: 2}`. Returns undefined if there were no calls. */
const decodeCalls = (wire: JsonObject | undefined): Usage['calls'] => {
  const calls = Object.entries(wire ?? {}).flatMap(([name, value]): readonly [string, number][] => {
    const count = findNumber(value) ?? 0;
    return count > 0 ? [[name.replace(/_requests$/, ''), count]] : [];
  });
  return calls.length > 0 ? Object.fromEntries(calls) : undefined;
};

const encodeCalls = (calls: Usage['calls']): JsonObject | undefined =>
  calls === undefined
    ? undefined
    : {
        web_search_requests: 0,
        web_fetch_requests: 0,
        ...Object.fromEntries(Object.entries(calls).map(([tool, count]) => [`${tool}_requests`, count])),
      };

const decodeCacheWriteByTtl = (wire: JsonObject | undefined): Usage['cacheWriteByTtl'] => {
  const hour = findNumber(wire?.ephemeral_1h_input_tokens) ?? 0;
  return hour > 0 ? { '1h': hour } : undefined;
};

const encodeCacheWriteByTtl = ({ cacheWrite = 0, cacheWriteByTtl }: Partial<Usage>): JsonObject | undefined => {
  if (cacheWriteByTtl === undefined) return undefined;
  const hour = cacheWriteByTtl['1h'] ?? 0;
  return { ephemeral_5m_input_tokens: Math.max(0, cacheWrite - hour), ephemeral_1h_input_tokens: hour };
};

/**
 * https://docs.anthropic.com/en/api/messages#response-usage: `input_tokens` excludes tokens that were read from the cache or
 * written to it.
 */
const decodeTokens = (wire: JsonObject): Usage | undefined => {
  const counts = readCounts({ input: findNumber(wire.input_tokens), output: findNumber(wire.output_tokens) });
  if (counts === undefined) return undefined;
  const cacheRead = findNumber(wire.cache_read_input_tokens);
  const cacheWrite = findNumber(wire.cache_creation_input_tokens);
  return defined({
    ...counts,
    input: counts.input + (cacheRead ?? 0) + (cacheWrite ?? 0),
    cacheRead,
    cacheWrite,
    cacheWriteByTtl: decodeCacheWriteByTtl(findObject(wire.cache_creation)),
  });
};

/**
 * Returns what the provider used to shorten the conversation, which is charged but not part of the message's counts:
 * https://platform.claude.com/docs/en/build-with-claude/compaction#understanding-usage
 */
const findCompactions = ({ iterations }: JsonObject): readonly Usage[] =>
  toObjects(iterations).flatMap((each) => (each.type === 'compaction' ? (decodeTokens(each) ?? []) : []));

const withCompactions = (tokens: Usage, compactions: readonly Usage[]): Usage =>
  compactions.length === 0 ? tokens : { ...tokens, ...summedUsage([tokens, ...compactions]) };

export const decodeUsage = (wire: JsonObject): Usage | undefined => {
  const tokens = decodeTokens(wire);
  if (tokens === undefined) return undefined;
  const usage = defined({
    ...withCompactions(tokens, findCompactions(wire)),
    reasoning: findNumber(findObject(wire.output_tokens_details)?.thinking_tokens),
    calls: decodeCalls(findObject(wire.server_tool_use)),
    tier: decodeServedTier(findText(wire.service_tier)),
    raw: { messages: wire },
  });
  return plausibleUsage(usage);
};

export const encodeUsage = (usage: Usage): JsonObject => {
  const { input, output, cacheRead, cacheWrite, reasoning, calls, tier } = usage;
  return defined({
    input_tokens: Math.max(0, input - (cacheRead ?? 0) - (cacheWrite ?? 0)),
    output_tokens: output,
    cache_creation_input_tokens: cacheWrite ?? null,
    cache_read_input_tokens: cacheRead ?? null,
    cache_creation: encodeCacheWriteByTtl(usage),
    output_tokens_details: reasoning === undefined ? undefined : { thinking_tokens: reasoning },
    server_tool_use: encodeCalls(calls),
    service_tier: encodeServedTier(tier),
  });
};

const withoutOutput = (usage: Usage | undefined): Usage | undefined =>
  usage && { ...usage, missing: usage.missing?.includes('input') === true ? ['input', 'output'] : ['output'] };

/**
 * Returns the token counts of an answer, or of a stream's event. The start of a stream has only those of the input and the first
 * words, its last delta those of the output and any changes to the others. `before` is what the stream reported so far.
 */
export const findUsage = (wire: JsonObject, before?: Usage): Usage | undefined => {
  const ofStart = findObject(findObject(wire.message)?.usage);
  const usage = findObject(wire.usage) ?? ofStart;
  if (usage === undefined) return undefined;
  const read = decodeUsage(before === undefined ? usage : { ...before.raw?.messages, ...withoutNulls(usage) });
  const isStill = before?.missing?.includes('output') === true && findNumber(usage.output_tokens) === undefined;
  return usage === ofStart || isStill ? withoutOutput(read) : read;
};
