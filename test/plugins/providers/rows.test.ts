import { describe, expect, it } from 'vitest';
import { anthropic } from '../../../plugins/providers/anthropic.ts';
import { builtinProviders } from '../../../plugins/providers/builtin-providers.ts';
import { groq } from '../../../plugins/providers/groq.ts';
import { ollama } from '../../../plugins/providers/ollama.ts';
import { openai } from '../../../plugins/providers/openai.ts';
import { buildCatalogue } from '../../../plugins/sdk/catalogue.ts';
import { definePlugin } from '../../../plugins/sdk/plugin.ts';
import { testProvider } from '../../../plugins/testing/test-provider.ts';

describe('the built-in providers', () => {
  it.each(builtinProviders.map((provider) => [provider.id, provider] as const))(
    '%s keeps its contract',
    (_, provider) =>
      testProvider(provider, { settings: { resource_name: 'acme', deployment_id: 'd', api_version: '2024-10-21' } }),
  );

  it('are sorted, and answer to their neutral names too', () => {
    const ids = builtinProviders.map(({ id }) => id);
    expect(ids).toEqual([...ids].sort());
    const { providers } = buildCatalogue([definePlugin({ name: 'p', providers: builtinProviders })]);
    expect(providers.get('llmv')?.id).toBe('openai');
    expect(providers.get('clouda')?.id).toBe('azure-openai');
  });
});

describe('openai', () => {
  it('carries the key, the organization and the project', () => {
    expect(openai.headers({ api_key: 'k' }, { llmv_organization: 'org', llmv_project: 'p' })).toEqual([
      'Authorization',
      'Bearer k',
      'OpenAI-Organization',
      'org',
      'OpenAI-Project',
      'p',
    ]);
    expect(openai.headers({ api_key: 'k' }, {})).toEqual(['Authorization', 'Bearer k']);
  });
});

describe('anthropic', () => {
  it('carries its key and the version of its API', () => {
    expect(anthropic.headers({ api_key: 'k' }, {})).toEqual(['x-api-key', 'k', 'anthropic-version', '2023-06-01']);
    expect(anthropic.headers({}, {})).toEqual(['anthropic-version', '2023-06-01']);
  });

  it.each([
    ['/v1/messages/batches?limit=2', '/messages/batches?limit=2'],
    ['/messages/batches', '/messages/batches'],
    ['/v1beta/x', '/v1beta/x'],
  ])('passes %s through as %s: its own clients write the version too', (path, expected) => {
    expect(anthropic.passThrough?.(path, {})).toBe(expected);
  });
});

describe('ollama', () => {
  it('has no address of its own and needs no key', () => {
    expect(ollama).toMatchObject({ credential: 'optional' });
    expect(ollama.baseUrl).toBeUndefined();
    expect(ollama.headers({}, {})).toEqual([]);
  });
});

describe('groq', () => {
  it('is a row of the OpenAI-compatible kind', () => {
    expect(groq).toMatchObject({
      baseUrl: 'https://api.groq.com/openai/v1',
      credential: 'required',
      speaks: { chat: '/chat/completions' },
      drop: ['logprobs', 'logit_bias', 'top_logprobs'],
    });
    expect(groq.speaks.embeddings).toBeUndefined();
  });

  it('claims no models, since it serves those of several makers', () => {
    expect(groq.models).toBeUndefined();
  });
});
