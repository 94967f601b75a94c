import type { Usage } from '../../../../schema/conversation/conversation.ts';

/** The counts of a usage. A count is undefined if the provider has not reported it. */
export interface StatedCounts {
  readonly input: number | undefined;
  readonly output: number | undefined;
  /** The sum of both. */
  readonly total: number | undefined;
}

/** Returns the counts that a provider has reported, so that an unknown count is not written as 0. */
export const statedCounts = ({ input, output, missing = [], atLeast }: Usage): StatedCounts => ({
  input: missing.includes('input') ? undefined : input,
  output: missing.includes('output') ? undefined : output,
  total: missing.length === 0 ? input + output : atLeast,
});
