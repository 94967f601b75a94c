import type { ModelFacts } from '../../schema/model-facts/model-facts.ts';

/** Finds the facts of one provider's model. `slug` is the saved provider that is called, which may have its own facts. */
export type FindInProvider = (model: string, slug?: string) => ModelFacts | undefined;

/** The facts of models, as far as they are known. */
export interface KnownModels {
  /**
   * Returns a function that finds models of one provider, by any of its names, and of its saved providers. Rejects if the stated
   * facts cannot be read.
   */
  ofProvider(name: string): Promise<FindInProvider>;
}
