import type { Usage } from '../../../schema/conversation.ts';
import { defined } from './defined.ts';

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
  if (input === undefined && output === undefined) return undefined;
  const rest = total === undefined ? undefined : Math.max(0, total - (input ?? output ?? 0));
  const missing =
    rest !== undefined
      ? []
      : input === undefined
        ? ['input' as const]
        : output === undefined
          ? ['output' as const]
          : [];
  return defined({
    input: input ?? rest ?? 0,
    output: output ?? rest ?? 0,
    missing: missing.length > 0 ? missing : undefined,
  });
};
