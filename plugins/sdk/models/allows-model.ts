import type { AllowedModels } from '../../../schema/config/saved.ts';
import { bareModel } from './named-models.ts';

/** Whether a model may be called. */
export type AllowsModel = (model: string) => boolean;

/** Normalises a name as the most lenient provider would. */
const folded = (model: string): string =>
  bareModel(model.trim())
    .toLowerCase()
    .replace(/(?:#.*|:latest)$/s, '');

/** Returns a name, and the name without each possible prefix: of a maker, a region, a collection or an account. */
const endings = (model: string): readonly string[] => {
  const name = folded(model);
  return [name, ...[...name.matchAll(/[/.]/g)].map(({ index }) => name.slice(index + 1))];
};

/**
 * Creates a function that decides by a list whether a model may be called. An allowed name must be written as in the list,
 * optionally with its collection. An excluded name is excluded in all of its spellings, such as `openai/gpt-4o` and `GPT-4o`.
 */
export const allowsModel = (models: AllowedModels): AllowsModel => {
  if ('only' in models) {
    const only = new Set(models.only.flatMap((name) => [name, bareModel(name)]));
    return (model) => only.has(model) || only.has(bareModel(model));
  }
  const except = new Set(models.except.map(folded));
  return (model) => !endings(model).some((name) => except.has(name));
};
