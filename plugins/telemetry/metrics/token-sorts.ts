import type { UsageRecord } from '../../../schema/usage/usage-record.ts';

/**
 * Reports how many tokens of each sort an attempt used. Each token has exactly one sort, so the counts can be added up: as in its
 * price, no part exceeds the whole that the provider reports.
 */
export const eachTokenSort = ({ input, output }: UsageRecord, each: (sort: string, tokens: number) => void): void => {
  const { cacheWrite } = input;
  let written = 0;
  if (cacheWrite !== undefined) for (const tokens of Object.values(cacheWrite)) written += tokens;
  written = Math.min(written, input.total);
  const cacheRead = Math.min(input.cacheRead ?? 0, input.total - written);
  const reasoning = Math.min(output.reasoning ?? 0, output.total);
  each('input', input.total - cacheRead - written);
  each('output', output.total - reasoning);
  if (cacheRead > 0) each('cache_read', cacheRead);
  if (written > 0) each('cache_write', written);
  if (reasoning > 0) each('reasoning', reasoning);
};
