import type { Usage } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findNumber, findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import { plausibleUsage } from '../../../../schema/usage/plausible-usage.ts';
import { readCounts } from '../../../../schema/usage/read-counts.ts';
import { defined } from '../../shared/json/defined.ts';

/** How long a cache keeps an entry by default. */
const defaultTtl = '5m';

const decodeDetails = (wire: JsonObject): Usage['cacheWriteByTtl'] => {
  const kept = toObjects(wire.cacheDetails).flatMap(({ ttl, inputTokens }): readonly (readonly [string, number])[] => {
    const [time, tokens] = [findText(ttl), findNumber(inputTokens)];
    return time === undefined || time === defaultTtl || tokens === undefined ? [] : [[time, tokens]];
  });
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
};

/**
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_TokenUsage.html: `inputTokens` excludes tokens that were
 * read from the cache or written to it.
 */
const decodeUsage = (wire: JsonObject, serviceTier: JsonObject | undefined): Usage | undefined => {
  const counts = readCounts({ input: findNumber(wire.inputTokens), output: findNumber(wire.outputTokens) });
  if (counts === undefined) return undefined;
  const cacheRead = findNumber(wire.cacheReadInputTokens);
  const cacheWrite = findNumber(wire.cacheWriteInputTokens);
  return plausibleUsage(
    defined({
      ...counts,
      input: counts.input + (cacheRead ?? 0) + (cacheWrite ?? 0),
      cacheRead,
      cacheWrite,
      cacheWriteByTtl: decodeDetails(wire),
      tier: findText(serviceTier?.type),
      raw: { converse: wire },
    }),
  );
};

const encodeDetails = ({ cacheWrite = 0, cacheWriteByTtl }: Usage): readonly JsonObject[] | undefined => {
  if (cacheWriteByTtl === undefined) return undefined;
  const long = Object.entries(cacheWriteByTtl);
  const rest = cacheWrite - long.reduce((sum, [, tokens]) => sum + tokens, 0);
  const all = rest > 0 ? [...long, [defaultTtl, rest] as const] : long;
  return all.map(([ttl, inputTokens]) => ({ ttl, inputTokens }));
};

/** Returns `usage`, and the service tier beside it, or nothing if no usage is known. */
export const encodeUsage = (usage: Usage | undefined): JsonObject => {
  if (usage === undefined) return {};
  const { input, output, cacheRead, cacheWrite, tier } = usage;
  return defined({
    usage: defined({
      inputTokens: Math.max(0, input - (cacheRead ?? 0) - (cacheWrite ?? 0)),
      outputTokens: output,
      totalTokens: input + output,
      cacheReadInputTokens: cacheRead,
      cacheWriteInputTokens: cacheWrite,
      cacheDetails: encodeDetails(usage),
    }),
    serviceTier: tier === undefined ? undefined : { type: tier },
  });
};

/** Returns the token counts of an answer, or of a stream's event `metadata`. */
export const findUsage = (wire: JsonObject): Usage | undefined => {
  const usage = findObject(wire.usage);
  return usage === undefined ? undefined : decodeUsage(usage, findObject(wire.serviceTier));
};
