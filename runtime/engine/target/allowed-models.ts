import type { AllowedModels } from '../../../schema/config/saved.ts';
import { toTexts } from '../../../schema/json/loose.ts';
import type { Target } from '../../../schema/plan/plan.ts';

/** The models that what is saved of a target allows; undefined: all. */
export const allowedModels = (target: Pick<Target, 'allowedModels'>): AllowedModels | undefined => {
  if (target.allowedModels === undefined) return undefined;
  const { only, except } = target.allowedModels;
  return only === undefined ? { except: toTexts(except) } : { only: toTexts(only) };
};
