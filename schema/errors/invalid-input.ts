import type { NonEmptyArray } from '../json/json.ts';
import { errorReport, GatewayError } from './errors.ts';
import type { InputProblem } from './input-problem.ts';

/** The most problems that a response lists. */
const maxListed = 100;

/** Creates the `GatewayError` `invalid-input` for a request to the control plane with these problems. */
export const invalidInput = (problems: NonEmptyArray<InputProblem>): GatewayError => {
  const [{ message }, ...others] = problems;
  const count = problems.length > maxListed ? `more than ${maxListed}` : String(problems.length);
  const first = others.length === 0 ? message : `${message} (It has ${count} problems.)`;
  return new GatewayError({ ...errorReport('invalid-input', { first }), errors: problems.slice(0, maxListed) });
};
