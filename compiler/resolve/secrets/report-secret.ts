import type { Json } from '../../../schema/json/json.ts';
import type { Place } from '../../diagnostics/reporter.ts';
import { isReference, looksLikeReference, refersAnywhere } from '../../schema-errors/is-reference.ts';
import { referenceHint, referenceProblem } from '../../schema-errors/reference-problem.ts';
import type { CompileContext } from '../context/compile-context.ts';

/**
 * Records the place of a secret, and reports what is not allowed there: a literal in a file, or a reference in the config of a
 * request.
 */
export const reportSecret = (
  value: Json,
  place: Place,
  { trust, reporter, secretPlaces }: Pick<CompileContext, 'trust' | 'reporter' | 'secretPlaces'>,
): void => {
  if (value === '') return;
  secretPlaces.add(place.pointer);
  if (trust !== 'operator') {
    if (refersAnywhere(value)) reporter.report('reference-not-allowed', place, {});
  } else if (typeof value === 'string' && looksLikeReference(value)) {
    if (isReference(value)) return;
    reporter.report('malformed-reference', place, { why: referenceProblem(value), suggestion: referenceHint(value) });
  } else reporter.report('inline-secret', place, { suggestion: referenceHint(value) });
};
