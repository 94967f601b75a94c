import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtinDialects } from '../../../plugins/dialects/builtin-dialects.ts';
import { chat } from '../../../plugins/dialects/chat/chat.ts';
import { anthropic } from '../../../plugins/providers/anthropic.ts';
import { azureAi } from '../../../plugins/providers/azure-ai/azure-ai.ts';
import { builtinProviders } from '../../../plugins/providers/builtin-providers.ts';
import { cohere } from '../../../plugins/providers/cohere.ts';
import { google } from '../../../plugins/providers/google.ts';
import { lateProtocols } from '../../../plugins/providers/late-protocols.ts';
import { lazyProviders } from '../../../plugins/providers/lazy-providers.ts';
import { mistralAi } from '../../../plugins/providers/mistral-ai/mistral-ai.ts';
import { groq } from '../../../plugins/providers/openai-like/groq.ts';
import { ollama } from '../../../plugins/providers/openai-like/ollama.ts';
import { openai } from '../../../plugins/providers/openai-like/openai.ts';
import { openaiLikeProviders } from '../../../plugins/providers/openai-like/rows.ts';
import { ownProtocols } from '../../../plugins/providers/own-protocols.ts';
import { passedThroughProviders } from '../../../plugins/providers/passed-through/rows.ts';
import { bearer } from '../../../plugins/providers/shared/bearer.ts';
import { claudeCompatible } from '../../../plugins/providers/shared/claude-compatible.ts';
import { keyInHeader } from '../../../plugins/providers/shared/key-in-header.ts';
import { openaiCompatible } from '../../../plugins/providers/shared/openai-compatible.ts';
import type { Dialect, EncodedRequest } from '../../../plugins/sdk/dialect/dialect.ts';
import { buildCatalogue } from '../../../plugins/sdk/plugin/catalogue.ts';
import { definePlugin } from '../../../plugins/sdk/plugin/plugin.ts';
import { unwrapProvider } from '../../../plugins/sdk/provider/late-provider.ts';
import type { Provider } from '../../../plugins/sdk/provider/provider.ts';
import { readDrop } from '../../../plugins/sdk/provider/read-drop.ts';
import { type ProviderSample, testProvider } from '../../../plugins/testkit/provider/test-provider.ts';

const root = path.join(import.meta.dirname, '../../..');

/** The settings and credentials used to test providers without a fixed address. */
const samples: Readonly<Record<string, ProviderSample>> = {
  'azure-ai': {
    settings: { clouda_foundry_url: 'https://acme.services.ai.azure.com' },
    credential: { api_key: 'test-api-key' },
  },
  'azure-openai': {
    settings: { resource_name: 'acme', deployment_id: 'd', api_version: '2024-10-21' },
    credential: { api_key: 'test-api-key' },
  },
  cortex: { settings: { snowflake_account: 'acme-main' } },
  'openai-compatible': { settings: { base_url: 'https://models.example.com/v1' } },
  oracle: { settings: { oracle_region: 'eu-frankfurt-1' }, credential: { api_key: 'test-api-key' } },
  predibase: { settings: { predibase_tenant_id: 'acme' } },
  'vertex-ai': {
    settings: { cloudb_region: 'europe-west4', cloudb_project_id: 'p' },
    credential: { api_key: 'test-api-key' },
  },
  watsonx: {
    credential: { api_key: 'test-api-key' },
    send: () => ({ status: 200, headers: [], body: Buffer.from('{"access_token":"t","expires_in":3600}') }),
  },
  'workers-ai': { settings: { workers_ai_account_id: '0a1b2c' } },
};

describe('the built-in providers', () => {
  it.each(builtinProviders.map((provider) => [provider.id, provider] as const))(
    '%s keeps the provider contract',
    (_, provider) => testProvider(provider, samples[provider.id]),
  );

  it('have unique names', () => {
    const names = builtinProviders.flatMap(({ id, aliases = [] }) => [id, ...aliases]);
    const taken = names.filter((name, at) => names.indexOf(name) !== at);
    expect(taken, 'Two rows have these ids or aliases.').toEqual([]);
  });

  it('are also found by their neutral names', () => {
    const { providers } = buildCatalogue([definePlugin({ name: 'p', providers: builtinProviders })]);
    expect(providers.get('llmv')?.id).toBe('openai');
    expect(providers.get('clouda')?.id).toBe('azure-openai');
    expect(providers.get('cloudb')?.id).toBe('vertex-ai');
    expect(providers.get('cloudc')?.id).toBe('bedrock');
  });
});

describe('a list of rows', () => {
  it.each(Object.entries({ ownProtocols, lateProtocols, openaiLikeProviders, passedThroughProviders }))(
    '%s is sorted by id',
    (_, rows) => {
      const ids = rows.map(({ id }) => id);
      expect(ids, 'Sort the rows by their ids.').toEqual([...ids].sort());
    },
  );

  it.each([
    ['openai-like', openaiLikeProviders],
    ['passed-through', passedThroughProviders],
  ] as const)('includes every file in %s', (folder, rows) => {
    const files = readdirSync(path.join(root, 'plugins/providers', folder)).filter((file) => file !== 'rows.ts');
    const unlisted = files.filter((file) => !rows.some(({ id }) => file === `${id}.ts`));
    expect(unlisted, `Add these to plugins/providers/${folder}/rows.ts.`).toEqual([]);
  });
});

const spokenDialects = ({ speaks }: Provider): readonly Dialect[] =>
  builtinDialects.filter(({ id }) => Object.hasOwn(speaks, id));

/** The request members that a dialect's table lists. */
const requestMembers = ({ members }: Dialect): readonly string[] =>
  members?.request.is === 'object' ? Object.keys(members.request.members) : [];

describe('a row', () => {
  it.each(builtinProviders.map((provider) => [provider.id, provider] as const))(
    '%s links to its documentation and marks only stated facts as unconfirmed',
    (_, { inProcess, documentation, unconfirmed = [], closed, drop, lacks, errorsVary, speaks }) => {
      if (inProcess === undefined) expect(documentation).toMatch(/^https:\/\/[^ ]+$/);
      else expect(documentation).toBeUndefined();
      const ofChats = speaks.chat === undefined ? ['developers', 'lacks', 'stream_options'] : [];
      expect(
        unconfirmed.filter((fact) => ofChats.includes(fact)),
        'It has no chats.',
      ).toEqual([]);
      if (closed === undefined) expect(unconfirmed).not.toContain('closed');
      else expect(closed).toMatch(/^20\d\d-\d\d-\d\d$/);
      expect(new Set(unconfirmed).size).toBe(unconfirmed.length);
      expect([drop?.length, lacks?.chat?.length]).not.toContain(0);
      expect(errorsVary).not.toBe(false);
    },
  );

  it.each(builtinProviders.map((provider) => [provider.id, provider] as const))(
    '%s states only facts that apply to its dialects',
    (id, provider) => {
      const dialects = spokenDialects(provider);
      const unknownIds = Object.keys(provider.speaks).filter((each) => !builtinDialects.some((one) => one.id === each));
      expect(unknownIds, 'There are no such dialects.').toEqual([]);
      const members = dialects.flatMap(requestMembers);
      const unknown = readDrop(provider, samples[id]?.settings ?? {}).filter((name) => !members.includes(name));
      expect(unknown, 'No request that it gets has these parameters of `drop`.').toEqual([]);
      const { embeddings, maxTexts } = provider;
      const speaks = dialects.map((dialect) => dialect.id);
      const served = dialects.map(({ operation }) => operation);
      if (embeddings !== undefined)
        expect(speaks, '`embeddings` is read for the dialect of this name.').toContain('embeddings');
      if (maxTexts !== undefined) expect(served, '`maxTexts` is read for requests for vectors.').toContain('embed');
    },
  );

  it.each(builtinProviders.map((provider) => [provider.id, provider] as const))(
    '%s is identical when it is loaded lazily',
    (id, provider) => {
      const late = lazyProviders.find((each) => each.id === id) ?? expect.unreachable();
      const names = new Set(Object.keys(provider));
      for (const name in late) names.add(name);
      expect(unwrapProvider(late)).toBe(unwrapProvider(late));
      const differing = [...names].filter((name) => Reflect.get(late, name) !== Reflect.get(provider, name));
      // These lists are copied, so they are compared by value.
      expect(differing.filter((name) => !['aliases', 'models', 'clientHeaders'].includes(name))).toEqual([]);
      const { aliases, models, clientHeaders } = provider;
      expect({ aliases: late.aliases, models: late.models, clientHeaders: late.clientHeaders }).toEqual({
        ...{ aliases, models, clientHeaders },
      });
    },
  );
});

describe('openai', () => {
  it('lists the chat dialect first, so requests are translated to it', () => {
    expect(Object.entries(openai.speaks)[0]).toEqual(['chat', '/chat/completions']);
  });

  it('sends the key, the organization and the project', () => {
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
  it('produces signatures that every Claude platform accepts', () => {
    expect(anthropic.stateScope?.({ fingerprint: 'f', model: undefined })).toBe('claude');
  });

  it('sends its key and the version of its API', () => {
    expect(anthropic.headers({ api_key: 'k' }, {})).toEqual(['x-api-key', 'k', 'anthropic-version', '2023-06-01']);
    expect(anthropic.headers({}, {})).toEqual(['anthropic-version', '2023-06-01']);
  });

  it.each([
    ['/v1/messages/batches?limit=2', '/messages/batches?limit=2'],
    ['/messages/batches', '/messages/batches'],
    ['/v1beta/x', '/v1beta/x'],
  ])('passes %s through as %s, because its own clients include the version', (path, expected) => {
    expect(anthropic.passThrough?.(path, {})).toBe(expected);
  });
});

describe('ollama', () => {
  it('has no default address and needs no key', () => {
    expect(ollama).toMatchObject({ credential: 'optional' });
    expect(ollama.baseUrl).toBeUndefined();
    expect(ollama.headers({}, {})).toEqual([]);
  });
});

describe('groq', () => {
  it('is built as an OpenAI-compatible provider', () => {
    expect(groq).toMatchObject({
      baseUrl: 'https://api.groq.com/openai/v1',
      credential: 'required',
      speaks: { chat: '/chat/completions' },
      drop: ['logprobs', 'logit_bias', 'top_logprobs'],
    });
    expect(groq.speaks.embeddings).toBeUndefined();
  });

  it('claims no models, because it serves models of several makers', () => {
    expect(groq.models).toBeUndefined();
  });
});

describe('google', () => {
  const path = (model: string | undefined, stream = false): string => {
    const { gemini } = google.speaks;
    return typeof gemini === 'function' ? gemini({ settings: {}, model, stream }) : expect.unreachable();
  };

  it.each([
    ['gemini-2.5-flash', '/models/gemini-2.5-flash'],
    ['models/gemini-2.5-flash', '/models/gemini-2.5-flash'],
    ['tunedModels/mine', '/tunedModels/mine'],
    ['a/../b', '/models/a%2F..%2Fb'],
  ])('puts the model %s in its path', (model, resource) => {
    expect(path(model)).toBe(`${resource}:generateContent`);
    expect(path(model, true)).toBe(`${resource}:streamGenerateContent?alt=sse`);
  });

  it.each([undefined, '', '..', 'models/'])('requires a model and rejects %j', (model) => {
    expect(() => path(model)).toThrow('requires the model in its path');
  });

  it('sends its key in a header, never in the query', () => {
    expect(google.headers({ api_key: 'k' }, {})).toEqual(['x-goog-api-key', 'k']);
    expect(google.passThrough?.('/models?key=k&pageSize=1', {})).toBe('/models?pageSize=1');
    expect(google.passThrough?.('/models?key=k', {})).toBe('/models');
    expect(google.passThrough?.('/models?keys=1', {})).toBe('/models?keys=1');
  });

  it('removes the version segment that its own clients include', () => {
    expect(google.passThrough?.('/v1beta/files/1', {})).toBe('/files/1');
  });
});

describe('cohere', () => {
  it.each([
    ['/v2/rerank', '/v2/rerank'],
    ['/rerank', '/v1/rerank'],
    ['/v1/datasets?limit=1', '/v1/datasets?limit=1'],
  ])('passes %s through as %s', (path, expected) => {
    expect(cohere.passThrough?.(path, {})).toBe(expected);
  });
});

describe('a provider that follows OpenAI', () => {
  const body = { messages: [{ role: 'developer', content: 'a' }, { role: 'user', content: 'b' }, 'c'] };

  it('receives developer messages as system messages, unless it supports that role', () => {
    expect(ollama.adapt?.(body, 'chat', {})).toEqual({
      messages: [{ role: 'system', content: 'a' }, { role: 'user', content: 'b' }, 'c'],
    });
    expect(ollama.adapt?.(body, 'completions', {})).toBe(body);
    expect(openai.adapt).toBeUndefined();
    expect(groq.adapt?.(body, 'chat', {})).toBe(body);
  });

  it.each(builtinProviders.map((provider) => [provider.id, provider] as const))(
    'also adapts them for clients of the same dialect: %s',
    (_, provider) => {
      const adapted = provider.speaks.chat === undefined ? body : provider.adapt?.(body, 'chat', {});
      const isRenamed = adapted !== undefined && JSON.stringify(adapted.messages) !== JSON.stringify(body.messages);
      const reads =
        provider.adaptsOwn?.includes('chat') === true || provider.adaptsMarked?.chat?.includes('"developer"');
      if (isRenamed) expect(reads).toBe(true);
    },
  );

  it('receives the older name of the token limit if it ignores the newer one', () => {
    expect(readDrop(ollama, {})).toEqual(['max_completion_tokens']);
    expect(readDrop(groq, {})).not.toContain('max_completion_tokens');
  });
});

describe('a credential', () => {
  const row = { id: 'x', documentation: 'https://x.example', baseUrl: 'https://x.example/v1' } as const;

  it('is sent as a bearer token to OpenAI-like services, unless they have their own header', () => {
    const own = openaiCompatible({ ...row, operations: ['images'], headers: keyInHeader('x-api-key') });
    expect(own.headers({ api_key: 'k' }, {})).toEqual(['x-api-key', 'k']);
    expect(own.headers({}, {})).toEqual([]);
    const usual = openaiCompatible({ ...row, operations: ['images'] });
    expect(usual.headers({ api_key: 'k' }, {})).toEqual(['Authorization', 'Bearer k']);
  });

  it('is sent as x-api-key with the API version to Anthropic-like services, unless they specify otherwise', () => {
    const usual = claudeCompatible({ ...row, operations: ['messages'] });
    expect(usual.headers({ api_key: 'k' }, {})).toEqual(['x-api-key', 'k', 'anthropic-version', '2023-06-01']);
    const own = claudeCompatible({ ...row, operations: ['messages'], headers: bearer });
    expect(own.headers({ api_key: 'k' }, {})).toEqual([
      ...['Authorization', 'Bearer k'],
      ...['anthropic-version', '2023-06-01'],
    ]);
    expect(own.speaks).toEqual({ messages: '/messages' });
  });
});

describe('content that a provider does not support', () => {
  const pdf = { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA==' } };
  const parts = [
    { type: 'text', text: 'a' },
    pdf,
    { type: 'file', file: { file_id: 'file-1' } },
    { type: 'input_audio', input_audio: { data: 'AA==', format: 'mp3' } },
    { type: 'image_url', image_url: { url: 'https://a.example/b.png' } },
  ];

  const sent = ({ id, lacks }: Provider): EncodedRequest | undefined => {
    const codec = chat.conversation;
    const read = codec?.decodeRequest({ model: 'm', messages: [{ role: 'user', content: parts }] }, { scope: '' });
    const options = { provider: id, strict: true, drop: new Set<string>(), scope: '', lacks: new Set(lacks?.chat) };
    return read === undefined ? undefined : codec?.encodeRequest(read, options);
  };

  it.each([
    [openai, ['text', 'file', 'file', 'input_audio', 'image_url'], []],
    [groq, ['text', 'image_url'], [1, 2, 3]],
    [ollama, ['text', 'input_audio', 'image_url'], [1, 2]],
    [azureAi, ['text', 'input_audio', 'image_url'], [1, 2]],
    [mistralAi, ['text', 'file', 'input_audio', 'image_url'], [2]],
  ])('is omitted and reported as lost (%#)', (provider, kinds, lost) => {
    const encoded = sent(provider);
    expect(encoded?.body).toMatchObject({ messages: [{ content: kinds.map((type) => ({ type })) }] });
    expect(encoded?.lost).toEqual(lost.map((index) => `turns[0].parts[${index}].media`));
    if (lost.length > 0) expect(provider.losses?.map(({ member }) => member)).toContain('turns.parts.media');
  });

  it('is kept if it becomes text', () => {
    const text = { type: 'file', file: { filename: 'a.txt', file_data: 'data:text/plain;base64,aGk=' } };
    const read = chat.conversation?.decodeRequest({ messages: [{ role: 'user', content: [text] }] }, { scope: '' });
    if (read === undefined) throw expect.unreachable();
    const options = {
      provider: 'groq',
      strict: true,
      drop: new Set<string>(),
      scope: '',
      lacks: new Set(groq.lacks?.chat),
    };
    expect(chat.conversation?.encodeRequest(read, options).body).toMatchObject({ messages: [{ content: 'hi' }] });
  });
});
