import type { Usage } from '../../../schema/conversation.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { numberOf, objectOf } from '../../../schema/loose.ts';
import { readCounts } from '../../../schema/read-counts.ts';
import { defined } from '../wire/defined.ts';

/**
 * https://docs.cohere.com/reference/chat#response.body.usage: `tokens` counts what the model processed, cached tokens
 * included; `billed_units` is what is charged, without the instructions that Cohere adds.
 */
export const decodeUsage = (wire: JsonObject): Usage | undefined => {
  const tokens = objectOf(wire.tokens);
  const billed = objectOf(wire.billed_units);
  const counts = readCounts({
    input: numberOf(tokens?.input_tokens) ?? numberOf(billed?.input_tokens),
    output: numberOf(tokens?.output_tokens) ?? numberOf(billed?.output_tokens),
  });
  if (counts === undefined) return undefined;
  const searches = numberOf(billed?.search_units) ?? 0;
  return defined({
    ...counts,
    cacheRead: numberOf(wire.cached_tokens),
    calls: searches > 0 ? { search: searches } : undefined,
    raw: { cohere: wire },
  });
};

/** Clients read either of the two counts. */
export const encodeUsage = ({ input, output, cacheRead }: Usage): JsonObject => {
  const tokens = { input_tokens: input, output_tokens: output };
  return defined({ billed_units: tokens, tokens, cached_tokens: cacheRead });
};

/** The token counts of an answer, or of the event that ends a stream. */
export const usageOf = (wire: JsonObject): Usage | undefined => {
  const usage = objectOf(wire.usage) ?? objectOf(objectOf(wire.delta)?.usage);
  return usage === undefined ? undefined : decodeUsage(usage);
};
