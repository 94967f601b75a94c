import type { UsageRecord } from '../../../../../schema/usage-record.ts';
import type { Tally } from '../batch-store.ts';

/** What a line used. */
export type Used = Omit<Tally, 'completed' | 'failed'>;

export const nothingUsed: Used = { input: 0, cached: 0, output: 0, reasoning: 0, nanoUsd: 0 };

export const nanosPerDollar: number = 1e9;

/** Converts what an answer says that it used; nothing if it does not say so. */
export const toUsed = (record: UsageRecord | undefined): Used => {
  if (record === undefined) return nothingUsed;
  const { input, output, cost } = record;
  return {
    ...{ input: input.total, cached: input.cacheRead ?? 0 },
    ...{ output: output.total, reasoning: output.reasoning ?? 0 },
    nanoUsd: cost?.nanoUsd ?? 0,
  };
};

export const sumOf = (all: readonly Used[]): Used =>
  all.reduce(
    (sum, each) => ({
      ...{ input: sum.input + each.input, cached: sum.cached + each.cached, output: sum.output + each.output },
      ...{ reasoning: sum.reasoning + each.reasoning, nanoUsd: sum.nanoUsd + each.nanoUsd },
    }),
    nothingUsed,
  );
