import type { Target } from './plan.ts';

/** Returns the id of the provider that a target names; undefined if the caller names it, or if nothing does. */
export const targetProvider = ({ from }: Pick<Target, 'from'>): string | undefined =>
  'provider' in from ? from.provider : undefined;

/** Returns the model that a target sends instead of the request's own; undefined if it sends that one. */
export const targetModel = ({ model, params }: Target): string | undefined => {
  const { model: own = model } = params.override;
  return typeof own === 'string' ? own : undefined;
};
