import type { Usage } from '../../../../schema/conversation/conversation.ts';

/** The counts of a usage; undefined is one that the provider has not reported. */
export interface StatedCounts {
  readonly input: number | undefined;
  readonly output: number | undefined;
  /** The sum of both. */
  readonly total: number | undefined;
}

/** The counts that a provider has reported, so that none is written as 0 which nobody knows. */
export const statedCounts = ({ input, output, missing = [], atLeast }: Usage): StatedCounts => ({
  input: missing.includes('input') ? undefined : input,
  output: missing.includes('output') ? undefined : output,
  total: missing.length === 0 ? input + output : atLeast,
});
