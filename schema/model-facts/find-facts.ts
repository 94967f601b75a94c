import type { ModelFacts } from './model-facts.ts';

/**
 * Finds the facts of a model by the name that a config or a request uses. `slug` is the saved provider that is called. Facts
 * about `@slug` take precedence over those about its kind of provider.
 */
export interface FindModelFacts {
  (provider: string, model: string, slug?: string): ModelFacts | undefined;
  /**
   * Lists the names and aliases of a provider's models, including those of `@slug`. Returns the same list each time. Absent if
   * they cannot be listed.
   */
  readonly names?: (provider: string, slug?: string) => readonly string[];
}

/**
 * Returns the endings of a name, without a prefix such as a region, a vendor or a collection: `us.anthropic.claude-…`,
 * `models/gemini-…`.
 */
const endings = (name: string): readonly string[] =>
  [...name.matchAll(/[./]/g)].map(({ index }) => name.slice(index + 1));

/** Indexes facts by names and aliases. A model's own name takes precedence over an alias of another model. */
export const indexFacts = (all: readonly ModelFacts[]): FindModelFacts => {
  const providers = new Map<string, Map<string, ModelFacts>>();
  const add = (facts: ModelFacts, name: string): void => {
    const models = providers.get(facts.provider) ?? new Map<string, ModelFacts>();
    providers.set(facts.provider, models);
    if (!models.has(name)) models.set(name, facts);
  };
  for (const facts of all) add(facts, facts.model);
  for (const facts of all) for (const alias of facts.aliases) add(facts, alias);
  const findIn = (models: ReadonlyMap<string, ModelFacts> | undefined, model: string): ModelFacts | undefined => {
    if (models === undefined) return undefined;
    const own = models.get(model);
    if (own !== undefined) return own;
    for (const name of endings(model)) {
      const found = models.get(name);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const find = (provider: string, model: string, slug?: string): ModelFacts | undefined =>
    (slug === undefined ? undefined : findIn(providers.get(`@${slug}`), model)) ??
    findIn(providers.get(provider), model);
  const lists = new Map<string, readonly string[]>();
  const names = (provider: string, slug?: string): readonly string[] => {
    const owners = (slug === undefined ? [provider] : [`@${slug}`, provider]).filter((owner) => providers.has(owner));
    const key = owners.join(' ');
    const list = lists.get(key) ?? owners.flatMap((owner) => [...(providers.get(owner)?.keys() ?? [])]);
    lists.set(key, list);
    return list;
  };
  return Object.assign(find, { names });
};
