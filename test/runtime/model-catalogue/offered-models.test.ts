import { describe, expect, it } from 'vitest';
import { builtinProviders } from '../../../plugins/providers/builtin-providers.ts';
import { providerModels, statedModels } from '../../../plugins/providers/provider-models.ts';
import type { Plugin } from '../../../plugins/sdk/plugin/plugin.ts';
import { createModelCatalogue } from '../../../runtime/model-catalogue/create-model-catalogue.ts';
import type { GatewayFile } from '../../../schema/generated/gateway-file.ts';

const today = '2026-11-27';
const plugin: Plugin = { name: 'providers', api: 1, providers: builtinProviders, models: async () => providerModels };

const offered = (
  provider: string,
  {
    isElsewhere = false,
    day = today,
    settings = {},
  }: { isElsewhere?: boolean; day?: string; settings?: Partial<GatewayFile> } = {},
): Promise<readonly string[]> =>
  createModelCatalogue({ plugins: [plugin], settings, now: () => Date.parse(day) }).offered(provider, { isElsewhere });

describe('the offered models', () => {
  it('are models with prices, by their names and not by the prefixes of the price table', async () => {
    const names = await offered('openai');
    expect(names).toEqual(expect.arrayContaining(['gpt-4o', 'gpt-5.4-mini', 'text-embedding-3-small', 'whisper-1']));
    for (const no of ['ft:gpt-3.5-turbo-', 'ft:gpt-4o', 'gpt-4o-mini-2024-07-18.ft-', 'moderation', 'tts-1'])
      expect(names).not.toContain(no);
  });

  it('exclude models that a provider may reject by now, and rows with only such models', async () => {
    for (const { provider, deprecated = {}, retired = {} } of statedModels) {
      const past = Object.entries({ ...deprecated, ...retired }).filter(([, day]) => day <= today);
      const names = await offered(provider);
      expect(past.map(([model]) => model).filter((model) => names.includes(model))).toEqual([]);
    }
    const openai = await offered('openai');
    for (const no of [
      'ada',
      'davinci',
      'curie',
      'text-davinci-002',
      'gpt-4-vision-preview',
      'gpt-3.5-0301',
      'codex-mini',
    ])
      expect(openai).not.toContain(no);
    const anthropic = await offered('anthropic');
    expect(anthropic).toContain('claude-opus-5');
    expect(anthropic.filter((name) => /^claude-[23]/.test(name))).toEqual([]);
  });

  it('include a model until its last day', async () => {
    expect(await offered('openai', { day: '2027-01-13' })).toContain('gpt-4o');
    expect(await offered('openai', { day: '2027-01-14' })).not.toContain('gpt-4o');
  });

  it('include a model for longer at another host, unless the operator sets its last day', async () => {
    expect(await offered('openai', { isElsewhere: true })).toContain('gpt-4-turbo');
    const model_facts = [{ provider: 'openai', model: 'gpt-4-turbo', deprecated: '2026-11-01' }];
    expect(await offered('openai', { isElsewhere: true, settings: { model_facts } })).not.toContain('gpt-4-turbo');
  });

  it('have the names that the provider expects, even if rows of the table have shorter ones', async () => {
    expect(await offered('fireworks-ai')).toContain('accounts/fireworks/models/kimi-k3');
    expect(await offered('moonshot')).toContain('kimi-k2.6');
  });

  it('include models for which the operator sets prices', async () => {
    const prices = { ollama: { 'my-model': { input: 1, output: 1 }, '*': { input: 1, output: 1 } } };
    expect(await offered('ollama', { settings: { prices } })).toEqual(['my-model']);
    expect(await offered('no-such')).toEqual([]);
  });
});

describe('the models of a provider', () => {
  it('are joined once, even if several targets need them at the same time', async () => {
    const catalogue = createModelCatalogue({ plugins: [plugin], now: () => Date.parse(today) });
    const [first, ...others] = await Promise.all(['openai', 'openai', 'openai'].map(catalogue.ofProvider));
    expect(first?.('gpt-4o')?.model).toBe('gpt-4o');
    for (const other of others) expect(other).toBe(first);
  });
});
