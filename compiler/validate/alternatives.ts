import type { ShapeError } from '../../schema/shape-error.ts';

const branchOf = (error: ShapeError, choice: ShapeError): string | undefined => {
  const prefix = `${choice.schemaPath}/`;
  return error.schemaPath.startsWith(prefix) ? error.schemaPath.slice(prefix.length).split('/')[0] : undefined;
};

/** One error for a value whose kind no alternative takes. */
const noKindFits = (choice: ShapeError, errors: readonly ShapeError[]): ShapeError => ({
  ...choice,
  keyword: 'type',
  params: { type: errors.flatMap(({ params }) => params.type ?? []) },
});

/** What matters of an `anyOf`: the errors of the alternative that the value's kind speaks for. */
const resolve = (choice: ShapeError, inside: readonly ShapeError[]): readonly ShapeError[] => {
  const wrongKind = inside.filter(
    ({ keyword, instancePath }) => keyword === 'type' && instancePath === choice.instancePath,
  );
  const refused = new Set(wrongKind.map((error) => branchOf(error, choice)));
  const meant = inside.find((error) => !refused.has(branchOf(error, choice)));
  if (meant === undefined) return [noKindFits(choice, wrongKind)];
  return inside.filter((error) => branchOf(error, choice) === branchOf(meant, choice));
};

/** The errors with each `anyOf` reduced to what its user should read. */
export const withoutAlternatives = (errors: readonly ShapeError[]): readonly ShapeError[] => {
  let left = errors;
  for (const choice of errors) {
    if (choice.keyword !== 'anyOf' || !left.includes(choice)) continue;
    const inside = left.filter((error) => branchOf(error, choice) !== undefined && belongs(error, choice));
    const kept = new Set(resolve(choice, inside));
    left = [...left.filter((error) => error !== choice && (!inside.includes(error) || kept.has(error)))];
    const made = [...kept].filter((error) => !inside.includes(error));
    left = [...left, ...made];
  }
  return left;
};

const belongs = (error: ShapeError, choice: ShapeError): boolean =>
  error.instancePath === choice.instancePath || error.instancePath.startsWith(`${choice.instancePath}/`);
