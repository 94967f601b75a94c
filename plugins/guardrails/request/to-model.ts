import type { CheckInput } from '../../sdk/guardrail/guardrail.ts';
import { bodyModels } from '../../sdk/models/body-models.ts';

interface Listing {
  readonly isListed: (model: string) => boolean;
  /** Whether no model should be listed, rather than each. */
  readonly not: boolean;
}

/**
 * The model by which a request is judged: the first of those that it names, in a list to fall back on or a tool too, that is
 * not as it should be; otherwise the one that it asks for. Throws where neither the request nor its target names one.
 */
export const toModel = ({ target, request }: CheckInput, { isListed, not }: Listing): string => {
  const { model } = request.json;
  const named = target.model ?? (typeof model === 'string' ? model : '');
  if (named === '') throw new Error('Neither the request nor its target names a model.');
  const { called, further } = bodyModels(request.json, { only: 'model', isReplaced: target.model !== undefined });
  return [named, ...[...called, ...further].map((each) => each.model)].find((each) => isListed(each) === not) ?? named;
};
