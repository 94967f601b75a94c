import type { AllowedModels } from '../../../schema/config/saved.ts';
import { toTexts } from '../../../schema/json/loose.ts';
import type { Target } from '../../../schema/plan/plan.ts';

/** Returns the models that a target's saved records allow. Undefined if all are allowed. */
export const allowedModels = (target: Pick<Target, 'allowedModels'>): AllowedModels | undefined => {
  if (target.allowedModels === undefined) return undefined;
  const { only, except } = target.allowedModels;
  return only === undefined ? { except: toTexts(except) } : { only: toTexts(only) };
};
