import { errorReport, GatewayError, gatewayError } from '../../../../schema/errors/errors.ts';
import type { InputProblem } from '../../../../schema/errors/input-problem.ts';
import { invalidInput } from '../../../../schema/errors/invalid-input.ts';
import { isNonEmpty, type Json, type JsonObject, type NonEmptyArray } from '../../../../schema/json/json.ts';
import { childPointer, type JsonPointer, rootPointer, toPointer } from '../../../../schema/json/pointer.ts';
import type { Problem } from './problem.ts';

/**
 * Returns the error for a record of the kind `what` that does not exist or belongs to another workspace. `list` is the route that
 * lists the kind.
 */
export const notFound = (what: string, name: string, list: string): GatewayError =>
  gatewayError('not-found', { what, name: name.slice(0, 255), suggestion: `${list} lists what there is.` });

/** Returns the `GatewayError` `conflict`, with a fact and what to do. */
export const conflict = (fact: string, suggestion: string): GatewayError =>
  gatewayError('conflict', { fact, suggestion });

/** Returns the error for a record that others change or delete while the request that names it is validated. */
export const changedMeanwhile = (): GatewayError =>
  conflict('Other requests are changing what this request needs at the same time.', 'Send it again.');

/**
 * Returns the advice for a name that another record has already, because the client may have wanted to change that record. `path`
 * is the path of its resource.
 */
export const nameTakenHint = (
  naming: string,
  { noun, path, name }: { readonly noun: string; readonly path: string; readonly name: string },
): string => `Choose another ${naming}. PUT /v1${path}/${encodeURIComponent(name)} changes that ${noun}.`;

/** Returns a problem of a query parameter. */
export const queryProblem = (name: string, message: string, hint: string): InputProblem => ({
  ...{ in: 'query', pointer: toPointer([name]) },
  message,
  hint,
});

/** Returns the `GatewayError` `invalid-input` for a query parameter. */
export const queryFault = (name: string, message: string, hint: string): GatewayError =>
  invalidInput([queryProblem(name, message, hint)]);

/** Returns the problem of the parameter that ends a period before the period begins. */
export const endBeforeStart = (name: string): InputProblem =>
  queryProblem(name, 'The period ends before it begins.', 'Write a later one.');

/** Returns a problem of a member of the body. */
export const memberProblem = (member: string, message: string, hint: string): InputProblem => ({
  pointer: toPointer([member]),
  message,
  hint,
});

/** Throws the `GatewayError` `invalid-input` if there is a problem. */
export const refuse = (problems: readonly InputProblem[]): void => {
  if (isNonEmpty(problems)) throw invalidInput(problems);
};

/** Returns the `GatewayError` `forbidden` for parts of a request that its caller is not allowed to use. */
export const forbidden = (problems: NonEmptyArray<InputProblem>): GatewayError => {
  const [{ message, hint }] = problems;
  return new GatewayError({ ...errorReport('forbidden', { fact: message, suggestion: hint }), errors: problems });
};

/** Throws the `GatewayError` `forbidden` if there are problems. */
export const refuseForbidden = (problems: readonly InputProblem[]): void => {
  if (isNonEmpty(problems)) throw forbidden(problems);
};

/** Returns the `GatewayError` `invalid-input` for a header of a request to the control plane. */
export const headerError = (header: string, message: string, hint: string): GatewayError =>
  invalidInput([{ in: 'header', pointer: toPointer([header]), message, hint }]);

const maxNamed = 3;

/** Describes the uses of a record, as the end of a sentence: the first three, and how many more there are. */
export const describeUses = (uses: readonly string[]): string => {
  const named = uses.slice(0, maxNamed).join(', ');
  return uses.length > maxNamed ? `${named} and ${uses.length - maxNamed} more` : named;
};

/**
 * Throws the `GatewayError` `conflict` if anything uses a record. `fact` is the beginning of a sentence that ends with the uses.
 */
export const refuseUses = (uses: readonly string[], fact: string, suggestion: string): void => {
  if (uses.length > 0) throw conflict(`${fact} ${describeUses(uses)}.`, suggestion);
};

const zero = '\u0000';

const error = (pointer: JsonPointer): Problem => ({
  pointer,
  message: 'This text has the character U+0000, which the store cannot keep.',
  hint: 'Leave it out.',
});

/** Adds to a single list, because nested lists would be copied at every level. */
const addNulCharacters = (problems: Problem[], value: Json, at: JsonPointer): void => {
  if (typeof value === 'string') {
    if (value.includes(zero)) problems.push(error(at));
  } else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value)) {
      if (name.includes(zero)) problems.push(error(at));
      addNulCharacters(problems, member, childPointer(at, name));
    }
};

/** Finds the texts of a value, including names of members, that contain the character U+0000. */
const findNulCharacters = (value: Json): readonly Problem[] => {
  const problems: Problem[] = [];
  addNulCharacters(problems, value, rootPointer);
  return problems;
};

/** Returns errors, and those of the other texts of a body that contain the character U+0000. */
export const withNulCharacters = (found: readonly InputProblem[], body: JsonObject): readonly InputProblem[] => {
  const places = new Set(found.map(({ pointer }) => pointer));
  return [...found, ...findNulCharacters(body).filter(({ pointer }) => !places.has(pointer))];
};

/** Throws the `GatewayError` `invalid-input` if a body or a query contains a text that the store cannot keep. */
export const rejectNulCharacters = (given: object, part?: 'query'): void => {
  // Bodies and queries were parsed from JSON.
  refuse(findNulCharacters(given as Json).map((each) => (part === undefined ? each : { in: part, ...each })));
};
