import type { Usage } from '../../../../schema/conversation/conversation.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { findNumber, findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import { plausibleUsage } from '../../../../schema/usage/plausible-usage.ts';
import { readCounts, readTotal } from '../../../../schema/usage/read-counts.ts';
import { statedCounts } from '../../shared/answer/stated-counts.ts';
import { defined } from '../../shared/json/defined.ts';
import { findServerTool } from '../parts/server-items.ts';

const callsIn = (output: readonly JsonObject[]): Usage['calls'] => {
  const calls: Record<string, number> = {};
  for (const item of output) {
    const tool = findServerTool(item);
    if (tool !== undefined) calls[tool] = (calls[tool] ?? 0) + 1;
  }
  return Object.keys(calls).length > 0 ? calls : undefined;
};

/**
 * Returns the usage of a response, or of the response in a stream's event, or undefined if no count can be read. Calls of the
 * provider's own tools are counted in the output. https://platform.openai.com/docs/api-reference/responses/object
 */
export const findUsage = (wire: JsonObject): Usage | undefined => {
  const response = findObject(wire.response) ?? wire;
  const usage = findObject(response.usage);
  if (usage === undefined) return undefined;
  const reasoning = findNumber(findObject(usage.output_tokens_details)?.reasoning_tokens);
  const counts = readCounts({
    input: findNumber(usage.input_tokens),
    output: findNumber(usage.output_tokens),
    total: findNumber(usage.total_tokens),
    reasoning,
  });
  if (counts === undefined) return undefined;
  const input = findObject(usage.input_tokens_details);
  const found = defined({
    ...counts,
    cacheRead: findNumber(input?.cached_tokens),
    cacheWrite: findNumber(input?.cache_write_tokens),
    reasoning,
    calls: callsIn(toObjects(response.output)),
    tier: findText(response.service_tier),
    raw: { responses: usage },
  });
  return plausibleUsage(found);
};

/** Returns the usage for metering. If a response reports only a total, it is used. */
export const findMeteredUsage = (wire: JsonObject): Usage | undefined => {
  const response = findObject(wire.response) ?? wire;
  return findUsage(wire) ?? readTotal(findNumber(findObject(response.usage)?.total_tokens));
};

/** Encodes the usage. It has all counts and their details, and is `null` if one of the counts was not reported. */
export const encodeUsage = (usage: Usage | undefined): Json => {
  if (usage === undefined) return null;
  const { cacheRead, cacheWrite, reasoning } = usage;
  const { input, output, total } = statedCounts(usage);
  if (input === undefined || output === undefined || total === undefined) return null;
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cacheRead ?? 0, cache_write_tokens: cacheWrite ?? 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning ?? 0 },
    total_tokens: total,
  };
};
