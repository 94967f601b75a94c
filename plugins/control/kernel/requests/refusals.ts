import { errorReport, GatewayError, gatewayError } from '../../../../schema/errors/errors.ts';
import type { InputProblem } from '../../../../schema/errors/input-problem.ts';
import { invalidInput } from '../../../../schema/errors/invalid-input.ts';
import { isNonEmpty, type Json, type NonEmptyArray } from '../../../../schema/json/json.ts';
import { childPointer, type JsonPointer, rootPointer, toPointer } from '../../../../schema/json/pointer.ts';
import type { Problem } from './problem.ts';

/** A record of the kind `what` that there is not, or that another workspace has. `list` is the route that lists the kind. */
export const notFound = (what: string, name: string, list: string): GatewayError =>
  gatewayError('not-found', { what, name: name.slice(0, 255), suggestion: `${list} lists what there is.` });

/** The `GatewayError` `conflict`: a fact, and what to do. */
export const conflict = (fact: string, suggestion: string): GatewayError =>
  gatewayError('conflict', { fact, suggestion });

/** Says that others change or delete what a request names while it is validated. */
export const changedMeanwhile = (): GatewayError =>
  conflict('Others change what this request needs at the same time.', 'Send it again.');

/** The advice for a name that a record has already, which its maker may have meant to change. `path` is that of its resource. */
export const chooseOrChange = (
  naming: string,
  { noun, path, name }: { readonly noun: string; readonly path: string; readonly name: string },
): string => `Choose another ${naming}. PUT /v1${path}/${encodeURIComponent(name)} changes that ${noun}.`;

const queryProblem = (name: string, message: string, hint: string): InputProblem => ({
  ...{ in: 'query', pointer: toPointer([name]) },
  message,
  hint,
});

/** The `GatewayError` `invalid-input` for a parameter of the query. */
export const queryFault = (name: string, message: string, hint: string): GatewayError =>
  invalidInput([queryProblem(name, message, hint)]);

/** The problem of the parameter that says when a time ends, where that is before its begin. */
export const endsEarly = (name: string): InputProblem =>
  queryProblem(name, 'The time ends before it begins.', 'Write a later one.');

/** A problem of a member of the body. */
export const memberProblem = (member: string, message: string, hint: string): InputProblem => ({
  pointer: toPointer([member]),
  message,
  hint,
});

/** Throws the `GatewayError` `invalid-input` if there is a problem. */
export const refuse = (problems: readonly InputProblem[]): void => {
  if (isNonEmpty(problems)) throw invalidInput(problems);
};

/** The `GatewayError` `forbidden`: what a request asks for and its caller may not do. */
export const forbidden = (problems: NonEmptyArray<InputProblem>): GatewayError => {
  const [{ message, hint }] = problems;
  return new GatewayError({ ...errorReport('forbidden', { fact: message, suggestion: hint }), errors: problems });
};

/** Throws the `GatewayError` `forbidden` if there is something that a caller may not do. */
export const refuseForbidden = (problems: readonly InputProblem[]): void => {
  if (isNonEmpty(problems)) throw forbidden(problems);
};

/** The `GatewayError` `invalid-input` for a header of a request to the control plane. */
export const headerError = (header: string, message: string, hint: string): GatewayError =>
  invalidInput([{ in: 'header', pointer: toPointer([header]), message, hint }]);

const maxNamed = 3;

/** Describes the uses of a record, as the end of a sentence: the first three, and how many more. */
export const describeUses = (uses: readonly string[]): string => {
  const named = uses.slice(0, maxNamed).join(', ');
  return uses.length > maxNamed ? `${named} and ${uses.length - maxNamed} more` : named;
};

/** Throws the `GatewayError` `conflict` while something uses a record. `fact` is how the sentence begins that ends with the uses. */
export const refuseUses = (uses: readonly string[], fact: string, suggestion: string): void => {
  if (uses.length > 0) throw conflict(`${fact} ${describeUses(uses)}.`, suggestion);
};

const zero = '\u0000';

const error = (pointer: JsonPointer): Problem => ({
  pointer,
  message: 'This text has the character U+0000, which the store cannot keep.',
  hint: 'Leave it out.',
});

/** To one list: each of the nested ones would otherwise be copied at every level. */
const addNulCharacters = (problems: Problem[], value: Json, at: JsonPointer): void => {
  if (typeof value === 'string') {
    if (value.includes(zero)) problems.push(error(at));
  } else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value)) {
      if (name.includes(zero)) problems.push(error(at));
      addNulCharacters(problems, member, childPointer(at, name));
    }
};

/** The texts of a value, names of members among them, that have the character U+0000. */
export const findNulCharacters = (value: Json): readonly Problem[] => {
  const problems: Problem[] = [];
  addNulCharacters(problems, value, rootPointer);
  return problems;
};

/** Throws the `GatewayError` `invalid-input` for a body, or a query, with a text that the store cannot keep. */
export const rejectNulCharacters = (given: object, part?: 'query'): void => {
  // Bodies and queries were JSON.
  refuse(findNulCharacters(given as Json).map((each) => (part === undefined ? each : { in: part, ...each })));
};
