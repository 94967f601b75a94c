import { describe, expect, it } from 'vitest';
import { builtinProviders } from '../../../plugins/providers/builtin-providers.ts';
import { providerModels, statedModels } from '../../../plugins/providers/provider-models.ts';
import { isCapability } from '../../../schema/model-facts/capability.ts';

const ids = new Set(builtinProviders.map(({ id }) => id));

describe.each(statedModels)('the models of $provider', ({ provider, documentation, asOf, families, ...rest }) => {
  const models = families.flatMap((family) => Object.keys(family.models));

  it('belong to a known provider, with a documentation page and a date', () => {
    expect(ids).toContain(provider);
    expect(documentation).toMatch(/^https:\/\//);
    expect(new Date(asOf).toISOString()).toMatch(new RegExp(`^${asOf}T`));
  });

  it('are each listed once, with known capabilities', () => {
    expect(new Set(models).size).toBe(models.length);
    for (const { able } of families) {
      expect(able.every(isCapability)).toBe(true);
      expect(new Set(able).size).toBe(able.length);
    }
  });

  it('have whole-number limits, and an output limit that fits the context', () => {
    for (const family of families)
      for (const [context, output] of Object.values(family.models)) {
        for (const limit of [context, output ?? null])
          if (limit !== null) expect(limit).toSatisfy(Number.isSafeInteger);
        if (context !== null && output != null) expect(output).toBeLessThanOrEqual(context);
      }
  });

  it('include every model that has an alias or a deprecation date', () => {
    for (const model of [...Object.keys(rest.aliases ?? {}), ...Object.keys(rest.deprecated ?? {})])
      expect(models).toContain(model);
    for (const day of Object.values(rest.deprecated ?? {})) expect(new Date(day).toISOString()).toMatch(`${day}T`);
  });

  it('exclude retired models, which have only a date in the past', () => {
    for (const [model, day] of Object.entries(rest.retired ?? {})) {
      expect(models).not.toContain(model);
      expect(new Date(day).toISOString()).toMatch(`${day}T`);
      expect(day < asOf).toBe(true);
    }
  });
});

it('the lists belong to known providers', () => {
  for (const id of Object.keys(providerModels.lists)) expect(ids).toContain(id);
});
