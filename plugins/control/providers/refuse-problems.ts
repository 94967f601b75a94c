import { invalidInput } from '../../../schema/invalid-input.ts';
import type { Problem } from '../keys/problem.ts';

/** Throws the `GatewayError` `invalid-input` if there is a problem. */
export const refuseProblems = (problems: readonly Problem[]): void => {
  const [first, ...others] = problems;
  if (first !== undefined) throw invalidInput([first, ...others]);
};
