import type { Usage } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findNumber, findObject } from '../../../../schema/json/loose.ts';
import { plausibleUsage } from '../../../../schema/usage/plausible-usage.ts';
import { readBilled } from '../../../../schema/usage/read-billed.ts';
import { readCounts } from '../../../../schema/usage/read-counts.ts';
import { statedCounts } from '../../shared/answer/stated-counts.ts';
import { defined } from '../../shared/json/defined.ts';

/**
 * https://docs.cohere.com/reference/chat#response.body.usage: `tokens` counts what the model processed, cached tokens included.
 * `billed_units` is what is charged (https://docs.cohere.com/docs/how-does-cohere-pricing-work), which excludes the instructions
 * that Cohere adds.
 */
export const decodeUsage = (wire: JsonObject): Usage | undefined => {
  const [tokens, billed] = [findObject(wire.tokens), findObject(wire.billed_units)];
  const processed = { input: findNumber(tokens?.input_tokens), output: findNumber(tokens?.output_tokens) };
  const charged = { input: findNumber(billed?.input_tokens), output: findNumber(billed?.output_tokens) };
  const counts = readCounts({
    input: processed.input ?? charged.input,
    output: processed.output ?? charged.output,
  });
  if (counts === undefined) return undefined;
  const searches = findNumber(billed?.search_units) ?? 0;
  return plausibleUsage(
    defined({
      ...counts,
      cacheRead: findNumber(wire.cached_tokens),
      billed: readBilled(processed, charged),
      calls: searches > 0 ? { search: searches } : undefined,
      raw: { cohere: wire },
    }),
  );
};

/** Writes both counts, because a client may read either. */
export const encodeUsage = (usage: Usage): JsonObject => {
  const { billed, cacheRead } = usage;
  const { input, output } = statedCounts(usage);
  return defined({
    billed_units: defined({ input_tokens: billed?.input ?? input, output_tokens: billed?.output ?? output }),
    tokens: defined({ input_tokens: input, output_tokens: output }),
    cached_tokens: cacheRead,
  }) as JsonObject;
};

/** Returns the token counts of an answer, or of the event that ends a stream. */
export const findUsage = (wire: JsonObject): Usage | undefined => {
  const usage = findObject(wire.usage) ?? findObject(findObject(wire.delta)?.usage);
  return usage === undefined ? undefined : decodeUsage(usage);
};
