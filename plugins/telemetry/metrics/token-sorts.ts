import type { UsageRecord } from '../../../schema/usage/usage-record.ts';

/** Reports how many tokens of each sort an attempt used. Each token has exactly one sort, so the counts can be added up. */
export const eachTokenSort = ({ input, output }: UsageRecord, each: (sort: string, tokens: number) => void): void => {
  const { cacheRead = 0, cacheWrite } = input;
  const { reasoning = 0 } = output;
  let written = 0;
  if (cacheWrite !== undefined) for (const tokens of Object.values(cacheWrite)) written += tokens;
  each('input', Math.max(0, input.total - cacheRead - written));
  each('output', Math.max(0, output.total - reasoning));
  if (cacheRead > 0) each('cache_read', cacheRead);
  if (written > 0) each('cache_write', written);
  if (reasoning > 0) each('reasoning', reasoning);
};
