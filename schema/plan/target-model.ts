import type { Target } from './plan.ts';

/** Returns the model that a target sends instead of the request's own; undefined if it sends that one. */
export const targetModel = ({ model, params }: Target): string | undefined => {
  const { model: own = model } = params.override;
  return typeof own === 'string' ? own : undefined;
};
