import type { ShapeError } from './shape-error.ts';

const findBranch = (error: ShapeError, choice: ShapeError): string | undefined => {
  const prefix = `${choice.schemaPath}/`;
  return error.schemaPath.startsWith(prefix) ? error.schemaPath.slice(prefix.length).split('/')[0] : undefined;
};

/** Whether the error is about the value that the choice is about, or a part of it. */
const isAbout = ({ instancePath }: ShapeError, { instancePath: chosen }: ShapeError): boolean =>
  instancePath === chosen || instancePath.startsWith(`${chosen}/`);

const belongs = (error: ShapeError, choice: ShapeError): boolean =>
  findBranch(error, choice) !== undefined && isAbout(error, choice);

/** One error for a value whose kind no alternative takes. */
const noKindFits = <E extends ShapeError>(choice: E, errors: readonly E[]): E => ({
  ...choice,
  keyword: 'type',
  params: { type: errors.flatMap(({ params }) => params.type ?? []) },
});

/** One error for a value that lacks the members of every alternative: the members that each of them needs. */
const requireOneOf = <E extends ShapeError>(choice: E, alternatives: readonly (readonly E[])[]): E => ({
  ...choice,
  keyword: 'required',
  params: {
    missingProperties: alternatives.map((errors) => errors.map(({ params }) => String(params.missingProperty))),
  },
});

/** One error for a value that is the constant of no alternative. */
const isNoneOf = <E extends ShapeError>(constants: readonly E[], first: E): E => ({
  ...first,
  keyword: 'enum',
  params: { allowedValues: constants.map(({ params }) => params.allowedValue) },
});

/** How much speaks against an alternative: another constant than the value's most, then a member that is missing. */
const distance = (errors: readonly ShapeError[]): number =>
  errors.reduce((sum, { keyword }) => sum + (keyword === 'const' ? 10_000 : keyword === 'required' ? 100 : 1), 0);

/** Keeps the errors that matter of a choice: the errors of the alternative that the value was probably meant for. */
const resolve = <E extends ShapeError>(choice: E, inside: readonly E[]): readonly E[] => {
  const branches = [...Map.groupBy(inside, (error) => findBranch(error, choice)).values()];
  const isHere = ({ instancePath }: E): boolean => instancePath === choice.instancePath;
  const isWrongKind = (error: E): boolean => error.keyword === 'type' && isHere(error);
  const ofItsKind = branches.filter((errors) => !errors.some(isWrongKind));
  const [first, ...others] = ofItsKind;
  if (first === undefined) return [noKindFits(choice, inside.filter(isWrongKind))];
  if (others.length === 0) return first;
  if (ofItsKind.every((errors) => errors.every((error) => error.keyword === 'required' && isHere(error))))
    return [requireOneOf(choice, ofItsKind)];
  const constants = ofItsKind.flatMap((errors) => errors.find(({ keyword }) => keyword === 'const') ?? []);
  const [constant] = constants;
  if (
    constant !== undefined &&
    constants.length === ofItsKind.length &&
    constants.every(({ instancePath }) => instancePath === constant.instancePath)
  )
    return [isNoneOf(constants, constant)];
  return ofItsKind.reduce((best, errors) => (distance(errors) < distance(best) ? errors : best));
};

const isChoice = ({ keyword }: ShapeError): boolean => keyword === 'anyOf' || keyword === 'oneOf';

/** Whether more than one alternative takes the value where one must; what the others say of it does not matter. */
const isAmbiguous = ({ keyword, params }: ShapeError): boolean =>
  keyword === 'oneOf' && Array.isArray(params.passingSchemas);

/** The errors at the end of a list that are about the value of the choice, taken off it. */
const takeTail = <E extends ShapeError>(left: E[], choice: E): readonly E[] => {
  let from = left.length;
  for (let last = left[from - 1]; last !== undefined && isAbout(last, choice); last = left[from - 1]) from -= 1;
  return left.splice(from);
};

/**
 * The errors with each `anyOf` and `oneOf` reduced to what its user should read. A validator says what speaks against the
 * alternatives directly before it says that none holds.
 */
export const withoutAlternatives = <E extends ShapeError>(errors: readonly E[]): readonly E[] => {
  const left: E[] = [];
  for (const error of errors) {
    if (!isChoice(error)) {
      left.push(error);
      continue;
    }
    const tail = takeTail(left, error);
    const inside = new Set(tail.filter((each) => belongs(each, error)));
    const remaining = isAmbiguous(error) || inside.size === 0 ? [error] : resolve(error, [...inside]);
    for (const each of tail) if (!inside.has(each)) left.push(each);
    for (const each of remaining) left.push(each);
  }
  return left;
};
