import type { AllowedModels } from '../../../schema/config/saved.ts';
import { bareModel } from './named-models.ts';

/** Whether a model may be called. */
export type AllowsModel = (model: string) => boolean;

/** A name as the most lenient provider compares it. */
const folded = (model: string): string =>
  bareModel(model.trim())
    .toLowerCase()
    .replace(/(?:#.*|:latest)$/s, '');

/** A name, and what is left of it without those that come before it: of a maker, a region, a collection or an account. */
const endings = (model: string): readonly string[] => {
  const name = folded(model);
  return [name, ...[...name.matchAll(/[/.]/g)].map(({ index }) => name.slice(index + 1))];
};

/**
 * Judges names of models by a list. One that is allowed is written as the list has it, or with its collection; one that is
 * excepted is so in all of its spellings, such as `openai/gpt-4o` and `GPT-4o`.
 */
export const allowsModel = (models: AllowedModels): AllowsModel => {
  if ('only' in models) {
    const only = new Set(models.only.flatMap((name) => [name, bareModel(name)]));
    return (model) => only.has(model) || only.has(bareModel(model));
  }
  const except = new Set(models.except.map(folded));
  return (model) => !endings(model).some((name) => except.has(name));
};
