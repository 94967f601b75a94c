import type { CheckInput } from '../../sdk/guardrail/guardrail.ts';
import { bodyModels } from '../../sdk/models/body-models.ts';

interface Listing {
  readonly isListed: (model: string) => boolean;
  /** Whether no model may be listed, instead of each having to be. */
  readonly not: boolean;
}

/**
 * Returns the model by which a request is judged: the first model it names that violates the rule, including models in fallback
 * lists and tools; otherwise the one that it asks for. Throws if neither the request nor its target names one.
 */
export const toModel = ({ target, request }: CheckInput, { isListed, not }: Listing): string => {
  const { model } = request.json;
  const named = target.model ?? (typeof model === 'string' ? model : '');
  if (named === '') throw new Error('Neither the request nor its target names a model.');
  const { called, further } = bodyModels(request.json, { only: 'model', isReplaced: target.model !== undefined });
  return [named, ...[...called, ...further].map((each) => each.model)].find((each) => isListed(each) === not) ?? named;
};
