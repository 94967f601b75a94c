import type { JsonObject } from '../../../../../../schema/json/json.ts';
import type { UsageRecord } from '../../../../../../schema/usage/usage-record.ts';
import type { UsedColumns } from '../../../../kernel/store/tables/tables.ts';

/** The members of a batch that report what it used and cost. */
export const usageView = (row: UsedColumns): JsonObject => ({
  usage: {
    input_tokens: row.input_tokens,
    input_tokens_details: { cached_tokens: row.cached_tokens },
    output_tokens: row.output_tokens,
    output_tokens_details: { reasoning_tokens: row.reasoning_tokens },
    total_tokens: row.input_tokens + row.output_tokens,
  },
  cost: row.nano_usd / nanosPerDollar,
});

const nanosPerDollar = 1e9;

export const nothingUsed: UsedColumns = {
  ...{ input_tokens: 0, cached_tokens: 0, output_tokens: 0, reasoning_tokens: 0, nano_usd: 0 },
};

/** Adds what a line used; nothing if that is not known. */
export const addUsed = (sum: UsedColumns, record: UsageRecord | undefined): UsedColumns => {
  if (record === undefined) return sum;
  const { input, output, cost } = record;
  return {
    input_tokens: sum.input_tokens + input.total,
    cached_tokens: sum.cached_tokens + (input.cacheRead ?? 0),
    output_tokens: sum.output_tokens + output.total,
    reasoning_tokens: sum.reasoning_tokens + (output.reasoning ?? 0),
    nano_usd: sum.nano_usd + (cost?.nanoUsd ?? 0),
  };
};
