import type { ShapeError } from './shape-error.ts';

const findBranch = (error: ShapeError, choice: ShapeError): string | undefined => {
  const prefix = `${choice.schemaPath}/`;
  return error.schemaPath.startsWith(prefix) ? error.schemaPath.slice(prefix.length).split('/')[0] : undefined;
};

/** Whether the error concerns the same value as the choice, or a part of it. */
const isAbout = ({ instancePath }: ShapeError, { instancePath: chosen }: ShapeError): boolean =>
  instancePath === chosen || instancePath.startsWith(`${chosen}/`);

const belongs = (error: ShapeError, choice: ShapeError): boolean =>
  findBranch(error, choice) !== undefined && isAbout(error, choice);

/** Merges errors into one, for a value whose type no alternative accepts. */
const mergeTypeErrors = <E extends ShapeError>(choice: E, errors: readonly E[]): E => ({
  ...choice,
  keyword: 'type',
  params: { type: errors.flatMap(({ params }) => params.type ?? []) },
});

/** Merges errors into one that lists the members each alternative requires, for a value that lacks those of every alternative. */
const requireOneOf = <E extends ShapeError>(choice: E, alternatives: readonly (readonly E[])[]): E => ({
  ...choice,
  keyword: 'required',
  params: {
    missingProperties: alternatives.map((errors) => errors.map(({ params }) => String(params.missingProperty))),
  },
});

/** Merges errors into one, for a value that is not the constant of any alternative. */
const mergeConstErrors = <E extends ShapeError>(constants: readonly E[], first: E): E => ({
  ...first,
  keyword: 'enum',
  params: { allowedValues: constants.map(({ params }) => params.allowedValue) },
});

/** How far a value is from an alternative. A different constant counts most, then a missing member. */
const distance = (errors: readonly ShapeError[]): number =>
  errors.reduce((sum, { keyword }) => sum + (keyword === 'const' ? 10_000 : keyword === 'required' ? 100 : 1), 0);

/** Keeps only the errors of the alternative that was probably meant. */
const resolve = <E extends ShapeError>(choice: E, inside: readonly E[]): readonly E[] => {
  const branches = [...Map.groupBy(inside, (error) => findBranch(error, choice)).values()];
  const isHere = ({ instancePath }: E): boolean => instancePath === choice.instancePath;
  const isWrongKind = (error: E): boolean => error.keyword === 'type' && isHere(error);
  const ofItsKind = branches.filter((errors) => !errors.some(isWrongKind));
  const [first, ...others] = ofItsKind;
  if (first === undefined) return [mergeTypeErrors(choice, inside.filter(isWrongKind))];
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
    return [mergeConstErrors(constants, constant)];
  return ofItsKind.reduce((best, errors) => (distance(errors) < distance(best) ? errors : best));
};

const isChoice = ({ keyword }: ShapeError): boolean => keyword === 'anyOf' || keyword === 'oneOf';

/** Whether more than one alternative accepts the value but only one may. The errors of the others do not matter then. */
const isAmbiguous = ({ keyword, params }: ShapeError): boolean =>
  keyword === 'oneOf' && Array.isArray(params.passingSchemas);

/** Removes the errors at the end of a list that concern the value of the choice, and returns them. */
const takeTail = <E extends ShapeError>(left: E[], choice: E): readonly E[] => {
  let from = left.length;
  for (let last = left[from - 1]; last !== undefined && isAbout(last, choice); last = left[from - 1]) from -= 1;
  return left.splice(from);
};

/**
 * Reduces the errors of each `anyOf` and `oneOf` to those that a user should read. A validator reports the errors of the
 * alternatives immediately before it reports that none matches.
 */
export const relevantErrors = <E extends ShapeError>(errors: readonly E[]): readonly E[] => {
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
