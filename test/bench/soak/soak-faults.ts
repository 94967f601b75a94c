import { chatUsage } from '../harness/payloads.ts';

/** The ledger's sums over all attempts. */
export interface Sums {
  readonly attempts: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly nano_usd: bigint;
}

/** Returns the sums that the ledger must have after this number of further answers, each with one attempt. */
export const sumsAfter = (before: Sums, answers: number): Sums => ({
  attempts: before.attempts + answers,
  input_tokens: before.input_tokens + answers * chatUsage.prompt_tokens,
  output_tokens: before.output_tokens + answers * chatUsage.completion_tokens,
  nano_usd: before.nano_usd + (BigInt(answers) * before.nano_usd) / BigInt(before.attempts),
});

/** Returns the faults of a run as sentences. */
export const toFaults = (run: {
  readonly failures: number;
  readonly dropped: number;
  readonly expected: Sums;
  readonly found: Sums;
}): readonly string[] => [
  ...(run.failures > 0 ? [`${run.failures} requests failed.`] : []),
  ...(run.dropped > 0 ? [`The log dropped ${run.dropped} records.`] : []),
  ...(['attempts', 'input_tokens', 'output_tokens', 'nano_usd'] as const)
    .filter((sum) => run.found[sum] !== run.expected[sum])
    .map((sum) => `The ledger has ${run.found[sum]} ${sum}, and ${run.expected[sum]} were answered.`),
];
