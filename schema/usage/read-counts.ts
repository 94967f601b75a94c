import type { Usage } from '../conversation/conversation.ts';

export interface StatedCounts {
  readonly input: number | undefined;
  readonly output: number | undefined;
  readonly total?: number | undefined;
  /** The reasoning tokens. Vendors differ in whether the output includes them. */
  readonly reasoning?: number | undefined;
  /** The count to which the rest of a total belongs; if absent, the output, because the rest is reasoning. */
  readonly rest?: 'input' | 'output';
}

/**
 * Reads the two counts of a usage. If one is absent, it is the total minus the other, or is missing if there is no total. If the
 * total exceeds the sum of both, the rest is charged as output: xAI counts reasoning in this way
 * (https://docs.x.ai/developers/rate-limits), and so does Gemini in OpenAI's form. Undefined if neither is present.
 */
export const readCounts = ({
  input,
  output,
  total,
  reasoning = 0,
  rest = 'output',
}: StatedCounts): Pick<Usage, 'input' | 'output' | 'missing'> | undefined => {
  if (input !== undefined && output !== undefined) {
    const beside = Math.max(0, (total ?? 0) - input - output);
    if (beside > 0) return rest === 'input' ? { input: input + beside, output } : { input, output: output + beside };
    // A count that exceeds the whole cannot be a part of it.
    return { input, output: reasoning > output ? output + reasoning : output };
  }
  const given = input ?? output;
  if (given === undefined) return undefined;
  if (total !== undefined) {
    const other = Math.max(0, total - given);
    return { input: input ?? other, output: output ?? other };
  }
  return input === undefined
    ? { input: 0, output: given, missing: ['input'] }
    : { input: given, output: 0, missing: ['output'] };
};

/** Reads a usage that reports only a total; undefined if there is none. */
export const readTotal = (total: number | undefined): Usage | undefined =>
  total === undefined ? undefined : { input: 0, output: 0, missing: ['input', 'output'], atLeast: total };
