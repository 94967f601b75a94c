import type { Target } from './plan.ts';

/** The model that a target sends in place of the request's own; undefined where it sends that. */
export const targetModel = ({ model, params }: Target): string | undefined => {
  const { model: own = model } = params.override;
  return typeof own === 'string' ? own : undefined;
};
