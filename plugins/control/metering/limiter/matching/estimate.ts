import type { UsageRecord } from '../../../../../schema/usage/usage-record.ts';
import type { LimitedAttempt } from '../../../../sdk/control-plane/limiter.ts';
import type { LearnedUse } from './learned-use.ts';

/** The most tokens of one attempt that an estimate has, whatever a request allows. */
const maxTokens = 1_000_000_000;

const whole = (tokens: number): number => Math.min(Math.max(0, Math.ceil(tokens)), maxTokens);

/**
 * What an attempt may use: its bytes by what a token of its kind takes, and the most that the request lets the model answer
 * with, or else what it usually answers with.
 */
export const estimateUse = (
  { model, bodyBytes, maxOutput }: LimitedAttempt,
  { learned, name }: { readonly learned: LearnedUse; readonly name: string },
): UsageRecord => {
  const { bytesPerToken, output: defaultOutput } = learned.expected(name);
  const output = maxOutput !== undefined && Number.isFinite(maxOutput) ? maxOutput : defaultOutput;
  return {
    kind: 'estimated',
    model,
    input: { total: whole(bodyBytes / bytesPerToken) },
    output: { total: whole(output) },
  };
};

/** Tokens of both directions. */
export const toTokens = ({ input, output }: UsageRecord): number => input.total + output.total;
