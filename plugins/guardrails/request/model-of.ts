import type { CheckInput } from '../../sdk/guardrail.ts';

/** The model that a request asks for. Throws where neither the request nor its target names one. */
export const modelOf = ({ target, request }: CheckInput): string => {
  const { model } = request.json;
  const named = target.model ?? (typeof model === 'string' ? model : '');
  if (named === '') throw new Error('Neither the request nor its target names a model.');
  return named;
};
