import { errorReport, GatewayError } from '../../../schema/errors.ts';
import type { InputProblem } from '../../../schema/input-problem.ts';
import type { NonEmptyArray } from '../../../schema/json.ts';

/** The `GatewayError` `forbidden`: what a request asks for and its caller may not do. */
export const forbidden = (problems: NonEmptyArray<InputProblem>): GatewayError => {
  const [{ message, hint }] = problems;
  return new GatewayError({ ...errorReport('forbidden', { fact: message, suggestion: hint }), errors: problems });
};
