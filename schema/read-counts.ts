import type { Usage } from './conversation.ts';

/**
 * The two counts of a usage. One that is left out is what the total has beside the other, if there is a total, and else is
 * missing. Undefined where neither is there.
 */
export const readCounts = ({
  input,
  output,
  total,
}: {
  readonly input: number | undefined;
  readonly output: number | undefined;
  readonly total?: number | undefined;
}): Pick<Usage, 'input' | 'output' | 'missing'> | undefined => {
  if (input !== undefined && output !== undefined) return { input, output };
  const told = input ?? output;
  if (told === undefined) return undefined;
  if (total !== undefined) {
    const rest = Math.max(0, total - told);
    return { input: input ?? rest, output: output ?? rest };
  }
  return input === undefined
    ? { input: 0, output: told, missing: ['input'] }
    : { input: told, output: 0, missing: ['output'] };
};
