import { errorReport, GatewayError } from '../../../../schema/errors/errors.ts';
import type { InputProblem } from '../../../../schema/errors/input-problem.ts';
import { isNonEmpty, type NonEmptyArray } from '../../../../schema/json/json.ts';

/** The `GatewayError` `forbidden`: what a request asks for and its caller may not do. */
export const forbidden = (problems: NonEmptyArray<InputProblem>): GatewayError => {
  const [{ message, hint }] = problems;
  return new GatewayError({ ...errorReport('forbidden', { fact: message, suggestion: hint }), errors: problems });
};

/** Throws the `GatewayError` `forbidden` if there is something that a caller may not do. */
export const refuseForbidden = (problems: readonly InputProblem[]): void => {
  if (isNonEmpty(problems)) throw forbidden(problems);
};
