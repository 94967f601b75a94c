import type { Usage } from '../conversation/conversation.ts';

export interface StatedCounts {
  readonly input: number | undefined;
  readonly output: number | undefined;
  readonly total?: number | undefined;
  /** Where vendors differ whether the output includes it. */
  readonly reasoning?: number | undefined;
  /** The count that has the rest of a total beside both: the output, as reasoning is, if absent. */
  readonly rest?: 'input' | 'output';
}

/**
 * The two counts of a usage. One that is left out is what the total has beside the other, if there is a total, and else is
 * missing. What a total has beside both is charged with the output: xAI counts reasoning so
 * (https://docs.x.ai/developers/rate-limits), as does Gemini in OpenAI's form. Undefined where neither is there.
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
    // More than the whole is no part of it.
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

/** Of a usage that reports a total alone; undefined if there is none. */
export const readTotal = (total: number | undefined): Usage | undefined =>
  total === undefined ? undefined : { input: 0, output: 0, missing: ['input', 'output'], atLeast: total };
