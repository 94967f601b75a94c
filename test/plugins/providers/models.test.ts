import { describe, expect, it } from 'vitest';
import { builtinProviders } from '../../../plugins/providers/builtin-providers.ts';
import { providerModels, statedModels } from '../../../plugins/providers/provider-models.ts';
import { isCapability } from '../../../schema/model-facts/capability.ts';

const ids = new Set(builtinProviders.map(({ id }) => id));

describe.each(statedModels)('the models of $provider', ({ provider, documentation, asOf, families, ...rest }) => {
  const models = families.flatMap((family) => Object.keys(family.models));

  it('are of a provider that there is, with a page and a day', () => {
    expect(ids).toContain(provider);
    expect(documentation).toMatch(/^https:\/\//);
    expect(new Date(asOf).toISOString()).toMatch(new RegExp(`^${asOf}T`));
  });

  it('are each stated once, with capabilities that there are', () => {
    expect(new Set(models).size).toBe(models.length);
    for (const { able } of families) {
      expect(able.every(isCapability)).toBe(true);
      expect(new Set(able).size).toBe(able.length);
    }
  });

  it('have limits that are whole numbers, and an answer that fits the context', () => {
    for (const family of families)
      for (const [context, output] of Object.values(family.models)) {
        for (const limit of [context, output ?? null])
          if (limit !== null) expect(limit).toSatisfy(Number.isSafeInteger);
        if (context !== null && output != null) expect(output).toBeLessThanOrEqual(context);
      }
  });

  it('are those that aliases and days are of', () => {
    for (const model of [...Object.keys(rest.aliases ?? {}), ...Object.keys(rest.deprecated ?? {})])
      expect(models).toContain(model);
    for (const day of Object.values(rest.deprecated ?? {})) expect(new Date(day).toISOString()).toMatch(`${day}T`);
  });

  it('are none of those that were retired, of which only a day is stated', () => {
    for (const [model, day] of Object.entries(rest.retired ?? {})) {
      expect(models).not.toContain(model);
      expect(new Date(day).toISOString()).toMatch(`${day}T`);
      expect(day < asOf).toBe(true);
    }
  });
});

it('reads lists of providers that there are', () => {
  for (const id of Object.keys(providerModels.lists)) expect(ids).toContain(id);
});
