import type { ModelFacts } from '../../schema/model-facts/model-facts.ts';

/** Finds the facts of a model of one provider; `slug` is the saved provider that is called, of which facts may be stated apart. */
export type FindInProvider = (model: string, slug?: string) => ModelFacts | undefined;

/** The facts of models, as far as they are known. */
export interface KnownModels {
  /** Finds models of one provider, by any of its names, and of what is saved of it. Rejects where what is stated cannot be read. */
  ofProvider(name: string): Promise<FindInProvider>;
}
