import { describe, expect, it } from 'vitest';
import { chat } from '../../../plugins/dialects/chat/chat.ts';
import { azureAi } from '../../../plugins/providers/azure-ai/azure-ai.ts';
import { readDrop } from '../../../plugins/sdk/provider/read-drop.ts';
import type { JsonObject } from '../../../schema/json/json.ts';

const serverless = {
  clouda_deployment_type: 'serverless',
  clouda_deployment_name: 'Llama-3',
  clouda_region: 'eastus',
  clouda_api_version: '2024-08-01',
};
const managed = { clouda_deployment_type: 'managed', clouda_endpoint_name: 'mine.eastus2' };
const resource = { clouda_foundry_url: 'https://acme.services.ai.azure.com/' };
const models = { clouda_foundry_url: 'https://acme.services.ai.azure.com/models' };

const openaiUrl = { clouda_foundry_url: 'https://a.openai.azure.com/openai/v1/' };
const openaiOnly = ['images', 'image-edits', 'speech', 'transcriptions', 'translations'];

const address = (settings: JsonObject): string =>
  typeof azureAi.baseUrl === 'function' ? azureAi.baseUrl(settings) : expect.unreachable();

const readPath = (dialect: string, settings: JsonObject): string => {
  const endpoint = azureAi.speaks[dialect];
  return typeof endpoint === 'function' ? endpoint({ settings, model: 'm', stream: false }) : expect.unreachable();
};

const defaultVersion = '?api-version=2024-05-01-preview';

describe('azure-ai', () => {
  it('derives its address from a deployment, an endpoint or a resource', () => {
    expect(address(serverless)).toBe('https://llama-3.eastus.models.ai.azure.com');
    expect(address(managed)).toBe('https://mine.eastus2.inference.ml.azure.com');
    expect(address({ ...managed, clouda_endpoint_name: 'mine', clouda_region: 'eastus' })).toBe(
      'https://mine.eastus.inference.ml.azure.com',
    );
    expect(address(resource)).toBe('https://acme.services.ai.azure.com');
  });

  it.each([
    [{}, 'clouda_deployment_type is missing'],
    [{ clouda_deployment_type: 'serverless' }, 'clouda_deployment_name is missing.'],
    [{ clouda_deployment_type: 'serverless', clouda_deployment_name: 'a' }, 'clouda_region is missing.'],
    [{ ...serverless, clouda_region: 'evil.com/' }, 'clouda_region must be one label'],
    [{ ...serverless, clouda_deployment_name: 'a.b' }, 'clouda_deployment_name must be one label'],
    [{ clouda_deployment_type: 'managed' }, 'clouda_endpoint_name is missing.'],
    [{ ...managed, clouda_endpoint_name: 'mine' }, 'clouda_endpoint_name must include a region'],
    [{ ...managed, clouda_endpoint_name: 'a/b', clouda_region: 'eastus' }, 'clouda_endpoint_name must be one label'],
    [{ clouda_foundry_url: 'https://evil.com' }, 'clouda_foundry_url must be a host of Azure'],
    [{ clouda_foundry_url: 'https://evilazure.com' }, 'clouda_foundry_url must be a host of Azure'],
    [{ clouda_foundry_url: 'http://a.azure.com' }, 'clouda_foundry_url must be an https URL'],
    [{ clouda_foundry_url: 'https://a.azure.com:81' }, 'clouda_foundry_url must be an https URL'],
    [{ clouda_foundry_url: 'https://u@a.azure.com' }, 'clouda_foundry_url must be an https URL'],
    [{ clouda_foundry_url: 'x' }, 'clouda_foundry_url must be an https URL'],
  ])('has no address for %j', (settings, reason) => {
    expect(() => address(settings)).toThrow(reason);
  });

  it.each([
    [serverless, '/chat/completions?api-version=2024-08-01', ['rerank', 'ocr']],
    [managed, `/chat/completions${defaultVersion}`, ['rerank', 'ocr']],
    [{ ...managed, api_version: 'x' }, '/chat/completions?api-version=x', ['rerank', 'ocr']],
    [resource, '/openai/v1/chat/completions', ['rerank', 'ocr', ...openaiOnly]],
    [{ clouda_foundry_url: 'https://a.services.ai.azure.com/models' }, `/chat/completions${defaultVersion}`, []],
    [openaiUrl, '/chat/completions', openaiOnly],
  ])('supports chat for %j', (settings, path, more) => {
    expect(readPath('chat', settings)).toBe(path);
    expect(azureAi.dialectsOf?.('llama', settings)).toEqual(['chat', 'embeddings', ...more]);
  });

  it.each([
    [resource, '/providers/cohere/v2/rerank', '/providers/mistral/azure/ocr'],
    [serverless, '/v1/rerank', '/v1/ocr'],
  ])(
    "reranks and reads documents under the makers' paths, or at a deployment's own paths: %j",
    (settings, rerank, ocr) => {
      expect([readPath('rerank', settings), readPath('ocr', settings)]).toEqual([rerank, ocr]);
    },
  );

  it.each([
    ['images', '/images/generations'],
    ['image-edits', '/images/edits'],
    ['speech', '/audio/speech'],
    ['transcriptions', '/audio/transcriptions'],
    ['translations', '/audio/translations'],
  ])("serves %s at the path of OpenAI's API", (dialect, path) => {
    expect([readPath(dialect, resource), readPath(dialect, openaiUrl)]).toEqual([`/openai/v1${path}`, path]);
  });

  it.each([
    '/files?purpose=batch',
    '/batches/b_1',
    '/images/generations',
    '/audio/speech',
    '/responses/resp_1',
    '/models?limit=1',
  ])("passes %s through to the resource's OpenAI API", (path) => {
    expect(azureAi.passThrough?.(path, resource)).toBe(`/openai/v1${path}`);
    for (const settings of [serverless, models, { clouda_foundry_url: 'https://a.openai.azure.com/openai/v1/' }])
      expect(azureAi.passThrough?.(path, settings)).toBe(path);
  });

  it.each(['/openai/v1/files', '/models/chat/completions', '/anthropic/v1/messages', '/filesystem', '/'])(
    'passes %s through to a resource unchanged',
    (path) => {
      expect(azureAi.passThrough?.(path, resource)).toBe(path);
    },
  );

  it("supports Anthropic's dialect for its models", () => {
    const anthropicUrl = { clouda_foundry_url: 'https://a.services.ai.azure.com/anthropic' };
    expect(azureAi.dialectsOf?.('claude-opus-4-5', resource)).toEqual(['messages', 'messages-count']);
    expect(azureAi.dialectsOf?.('my-deployment', anthropicUrl)).toEqual(['messages', 'messages-count']);
    expect(readPath('messages', resource)).toBe('/anthropic/v1/messages');
    expect(readPath('messages', anthropicUrl)).toBe('/v1/messages');
  });

  it('sends the key in the header that each host expects', () => {
    const key = { api_key: 'k' };
    expect(azureAi.headers(key, serverless)).toEqual(['Authorization', 'Bearer k', 'extra-parameters', 'drop']);
    expect(azureAi.headers(key, resource)).toEqual(['api-key', 'k', 'anthropic-version', '2023-06-01']);
    expect(azureAi.headers(key, models)).toEqual(['api-key', 'k', 'extra-parameters', 'drop']);
    expect(azureAi.headers({ clouda_ad_token: 't' }, resource)).toContain('Bearer t');
    expect(azureAi.headers(key, { clouda_foundry_url: 'https://a.services.ai.azure.com/anthropic' })).toEqual([
      'api-key',
      'k',
      'anthropic-version',
      '2023-06-01',
    ]);
  });

  it('sends the deployment of an endpoint and how unknown parameters are handled', () => {
    const settings = { ...managed, clouda_deployment_name: 'blue', clouda_extra_params: 'pass-through' };
    expect(azureAi.headers({}, settings)).toEqual([
      'extra-parameters',
      'pass-through',
      'azureml-model-deployment',
      'blue',
    ]);
  });

  it('drops and reports unsupported parameters, and uses the older name of the token limit', () => {
    const drop = new Set(readDrop(azureAi, models));
    const conversation = chat.conversation?.decodeRequest(
      {
        model: 'm',
        max_completion_tokens: 5,
        reasoning_effort: 'low',
        temperature: 1,
        messages: [{ role: 'user', content: 'a' }],
      },
      { scope: '' },
    );
    if (conversation === undefined) throw expect.unreachable();
    const target = { provider: 'azure-ai', strict: true, drop, scope: '' };
    const encoded = chat.conversation?.encodeRequest(conversation, target);
    expect(encoded?.body).toEqual({
      model: 'm',
      max_tokens: 5,
      temperature: 1,
      messages: [{ role: 'user', content: 'a' }],
    });
    expect(encoded?.lost).toEqual(['reasoning_effort']);
  });

  it("drops nothing if all parameters are passed through or the API is Azure OpenAI's", () => {
    for (const settings of [
      resource,
      { ...models, clouda_extra_params: 'pass-through' },
      { clouda_foundry_url: 'https://a.openai.azure.com/openai/v1/' },
    ]) {
      const body = { max_completion_tokens: 5 };
      expect(readDrop(azureAi, settings)).toEqual([]);
      expect(azureAi.adapt?.(body, 'chat', settings)).toBe(body);
    }
  });

  it('also renames the token limit for clients of its own dialect, because the API would silently drop it', () => {
    expect(azureAi.adaptsOwn).toEqual(['chat']);
    expect(azureAi.adapt?.({ model: 'm', max_completion_tokens: 5 }, 'chat', models)).toEqual({
      model: 'm',
      max_tokens: 5,
    });
    const messages = { max_completion_tokens: 5 };
    expect(azureAi.adapt?.(messages, 'messages', resource)).toBe(messages);
  });
});
