import { describe, expect, it } from 'vitest';
import { builtinPlugins } from '../../../plugins/builtin.ts';
import { providerOfModel } from '../../../runtime/plan-choice/provider-of-model.ts';
import type { SavedProvider } from '../../../schema/config/saved.ts';

const providers = builtinPlugins.flatMap((plugin) => plugin.providers ?? []);
const find = (id: string) => providers.find((each) => each.id === id || each.aliases?.includes(id) === true);

const saved = (provider: string): SavedProvider =>
  ({ provider, credential: { api_key: '${env:KEY}' } }) as SavedProvider;

describe('a model that starts with the name of a provider', () => {
  it.each(providers.map(({ id }) => id))('is served by the saved provider of that kind: %s', (id) => {
    const one = { own: saved(id), other: saved(id === 'openai' ? 'groq' : 'openai') };
    expect(providerOfModel(`${id}/org/model`, { find, saved: one })).toEqual({
      kind: 'saved',
      slug: 'own',
      model: 'org/model',
    });
    const two = { one: saved(id), two: saved(id) };
    expect(providerOfModel(`${id}/m`, { find, saved: two })).toEqual({ kind: 'several', provider: id });
    expect(providerOfModel(`${id}/m`, { find, saved: { ...two, [id]: saved(id) } })).toMatchObject({ slug: id });
    const without = providerOfModel(`${id}/m`, { find, saved: {} });
    const isKeyless = find(id)?.credential !== 'required' && id === 'echo';
    expect(without).toMatchObject(isKeyless ? { kind: 'keyless', model: 'm' } : { provider: id });
    if (find(id)?.credential === 'required') expect(without?.kind).toBe('unsaved');
  });

  it('may use an alias, and treats one saved provider under two slugs as one', () => {
    const shared = saved('llmv');
    expect(providerOfModel('openai/m', { find, saved: { a: shared, b: shared } })).toMatchObject({ slug: 'a' });
    expect(providerOfModel('llmv/m', { find, saved: { a: saved('openai') } })).toMatchObject({ slug: 'a' });
  });

  it('is reported as a clash if another provider is saved under that name', () => {
    expect(providerOfModel('openai/m', { find, saved: { openai: saved('groq') } })).toEqual({
      ...{ kind: 'other', provider: 'openai', model: 'm' },
    });
  });

  it.each([
    'meta-llama/Llama-3',
    'prod/gpt-4o',
    '/m',
    'openai/',
    'openai',
    'OpenAI/m',
    '@openai/m',
    'constructor/m',
    '__proto__/m',
  ])('is not recognised if the prefix is not a provider: %s', (name) => {
    expect(providerOfModel(name, { find, saved: { prod: saved('openai'), openai: saved('openai') } })).toBeUndefined();
  });
});
