import type { Usage } from '../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { findNumber, findObject } from '../../../schema/json/loose.ts';

/**
 * Returns search units or tokens, depending on what the service charges:
 * https://docs.cohere.com/reference/rerank#response.body.meta, https://jina.ai/reranker,
 * https://docs.siliconflow.cn/en/api-reference/rerank/create-rerank. A ranking has no output.
 */
export const findUsage = ({ meta, usage, tokens }: JsonObject): Usage | undefined => {
  const { billed_units: billed, tokens: processed } = findObject(meta) ?? {};
  const { search_units: units, total_tokens: total } = findObject(usage) ?? {};
  const searches = findNumber(findObject(billed)?.search_units) ?? findNumber(units);
  const counts = [total, findObject(processed)?.input_tokens, findObject(tokens)?.input_tokens];
  const input = counts.map(findNumber).find((count) => count !== undefined);
  if (searches === undefined && input === undefined) return undefined;
  return { input: input ?? 0, output: 0, ...(searches === undefined ? {} : { calls: { search: searches } }) };
};

/** All members of an answer that `findUsage` reads. */
export const metered = { usage: true, meta: true, tokens: true } as const;
