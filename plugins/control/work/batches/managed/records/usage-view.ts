import type { JsonObject } from '../../../../../../schema/json/json.ts';
import type { UsedColumns } from '../../../../kernel/store/tables/tables.ts';
import { nanosPerDollar } from './used.ts';

/** The members of a batch that tell what it used and cost. */
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
