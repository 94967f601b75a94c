import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { vertexAi } from '../../../plugins/providers/vertex-ai/vertex-ai.ts';
import { headerValue, type UpstreamRequest } from '../../../plugins/sdk/http/http.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { type AuthorizeScript, aPost, authorized } from '../../support/vendors/authorize.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const account = (members: JsonObject = {}): string =>
  JSON.stringify({
    client_email: 'a@b',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    project_id: 'of-account',
    ...members,
  });

const address = (settings: JsonObject): string =>
  typeof vertexAi.baseUrl === 'function' ? vertexAi.baseUrl(settings) : expect.unreachable();

const place = '/v1/projects/-/locations/europe-west4';
const toPath = (dialect: string, model: string | undefined, stream = false): string => {
  const endpoint = vertexAi.speaks[dialect];
  const settings = { cloudb_region: 'europe-west4' };
  return typeof endpoint === 'function' ? endpoint({ settings, model, stream }) : expect.unreachable();
};

const sign = (script: AuthorizeScript, path = `${place}/x`): Promise<UpstreamRequest> =>
  authorized(
    vertexAi,
    { ...aPost, path },
    { tokenService: () => ({ body: { access_token: 'token', expires_in: 60 } }), ...script },
  );

describe('vertex-ai', () => {
  it.each([
    ['europe-west4', 'https://europe-west4-aiplatform.googleapis.com'],
    ['global', 'https://aiplatform.googleapis.com'],
    ['us', 'https://aiplatform.us.rep.googleapis.com'],
  ])('has an address for the region %s', (region, url) => {
    expect(address({ cloudb_region: region })).toBe(url);
  });

  it.each(['evil.com/', 'a@b', 'x.y', '-', 'us-'])('rejects the region %s', (region) => {
    expect(() => address({ cloudb_region: region })).toThrow('cloudb_region must be the name of a region');
    expect(() => address({})).toThrow('cloudb_region is missing.');
  });

  it.each([
    [
      'gemini-2.5-pro',
      ['gemini', 'vertex-embeddings', 'gemini-count', 'vertex-rerank', 'google-images'],
      '/publishers/google/models/gemini-2.5-pro:generateContent',
    ],
    [
      'google.gemini-2.5-pro',
      ['gemini', 'vertex-embeddings', 'gemini-count', 'vertex-rerank', 'google-images'],
      '/publishers/google/models/gemini-2.5-pro:generateContent',
    ],
    [
      'anthropic.claude-opus-4@1',
      ['messages', 'messages-count'],
      '/publishers/anthropic/models/claude-opus-4%401:rawPredict',
    ],
    ['claude-opus-4@1', ['messages', 'messages-count'], '/publishers/anthropic/models/claude-opus-4%401:rawPredict'],
    ['mistralai.mistral-medium-3', ['chat', 'ocr'], '/publishers/mistralai/models/mistral-medium-3:rawPredict'],
    ['meta.llama-3.3-70b-instruct-maas', ['chat'], '/endpoints/openapi/chat/completions'],
    ['deepseek-ai/deepseek-r1-maas', ['chat'], '/endpoints/openapi/chat/completions'],
    ['endpoints.123', ['chat', 'gemini'], '/endpoints/123/chat/completions'],
  ])('calls %s in the dialects %j', (model, dialects, path) => {
    expect(vertexAi.dialectsOf?.(model, {})).toEqual(dialects);
    expect(toPath(dialects[0] ?? '', model)).toBe(place + path);
  });

  it("reads documents with Mistral's models and reranks with Google's ranking service", async () => {
    expect(toPath('ocr', 'mistralai/mistral-ocr-2505')).toBe(
      `${place}/publishers/mistralai/models/mistral-ocr-2505:rawPredict`,
    );
    const settings = { cloudb_region: 'europe-west4', cloudb_project_id: 'acme' };
    const ranking = vertexAi.speaks['vertex-rerank'];
    const path = typeof ranking === 'string' ? ranking : expect.unreachable();
    const ranked = '/v1/projects/acme/locations/global/rankingConfigs/default_ranking_config:rank';
    const origin = address(settings);
    const sent = await authorized(vertexAi, { ...aPost, origin, path }, { credential: { api_key: 't' }, settings });
    expect([sent.origin, sent.path]).toEqual(['https://discoveryengine.googleapis.com', ranked]);
    // Usage by a person's account is billed to this project.
    expect(headerValue(sent.headers, 'x-goog-user-project')).toBe('acme');
    const elsewhere = await authorized(vertexAi, { ...aPost, path }, { credential: { api_key: 't' }, settings });
    expect([elsewhere.origin, elsewhere.path]).toEqual([aPost.origin, ranked]);
    const other = { ...aPost, origin, path: `${place}/x` };
    const plain = await authorized(vertexAi, other, { credential: { api_key: 't' }, settings });
    expect([plain.origin, headerValue(plain.headers, 'x-goog-user-project')]).toEqual([origin, undefined]);
  });

  it.each([
    ['gemini', 'gemini-x', '/publishers/google/models/gemini-x:streamGenerateContent?alt=sse'],
    ['gemini', 'endpoints.1', '/endpoints/1:streamGenerateContent?alt=sse'],
    ['messages', 'claude-x', '/publishers/anthropic/models/claude-x:streamRawPredict'],
    ['chat', 'mistralai.x', '/publishers/mistralai/models/x:streamRawPredict'],
    ['chat', 'meta.x', '/endpoints/openapi/chat/completions'],
  ])('streams %s of %s', (dialect, model, path) => {
    expect(toPath(dialect, model, true)).toBe(place + path);
  });

  it.each([undefined, '', '..', 'anthropic...'])('requires a model and rejects %j', (model) => {
    expect(() => toPath('gemini', model)).toThrow('requires the model in its path');
  });

  it('names the model in bodies as each API expects', () => {
    const named = ['meta.llama-3', 'mistralai.m', 'qwen/q', 'endpoints.1', 'google.gemini-x'];
    expect(named.map((model) => vertexAi.bodyModel?.(model, {}))).toEqual([
      'meta/llama-3',
      'm',
      'qwen/q',
      '',
      'gemini-x',
    ]);
  });

  it('adapts an Anthropic body for this platform, whichever client wrote it', () => {
    const body = { model: 'claude-x', max_tokens: 1, anthropic_version: 'x', stream: true };
    expect(vertexAi.adapt?.(body, 'messages', {})).toEqual({
      max_tokens: 1,
      stream: true,
      anthropic_version: 'vertex-2023-10-16',
    });
    expect(vertexAi.adaptsOwn).toEqual(['messages', 'gemini', 'gemini-count', 'messages-count']);
    expect(vertexAi.adapt?.(body, 'chat', {})).toBe(body);
    expect(vertexAi.adapt?.(body, 'messages-count', {})).toEqual({ ...body, anthropic_version: 'vertex-2023-10-16' });
  });

  it('removes the ids of calls and results, which it rejects, and keeps the rest', () => {
    const said = { role: 'user', parts: [{ text: 'a' }] };
    const parts = [
      { functionCall: { id: 'c1', name: 'f', args: { id: 'kept' } }, thoughtSignature: 's' },
      { function_call: { name: 'g' } },
    ];
    const results = [{ functionResponse: { id: 'c1', name: 'f', response: { id: 'kept' } } }];
    const contents = [said, { role: 'model', parts }, { role: 'user', parts: results }];
    expect(vertexAi.adapt?.({ contents, tools: [] }, 'gemini', {})).toEqual({
      contents: [
        said,
        {
          role: 'model',
          parts: [{ functionCall: { name: 'f', args: { id: 'kept' } }, thoughtSignature: 's' }, parts[1]],
        },
        { role: 'user', parts: [{ functionResponse: { name: 'f', response: { id: 'kept' } } }] },
      ],
      tools: [],
    });
    const plain = { contents: [said] };
    expect(vertexAi.adapt?.(plain, 'gemini', {})).toBe(plain);
  });

  it('receives developer messages as system messages', () => {
    const body = { messages: [{ role: 'developer', content: 'a' }] };
    expect(vertexAi.adapt?.(body, 'chat', {})).toEqual({ messages: [{ role: 'system', content: 'a' }] });
  });

  it("exchanges the account's key for a token and calls the account's project", async () => {
    const credential = { cloudb_service_account_json: account(), api_key: 'unused' };
    expect(vertexAi.headers(credential, {})).toEqual([]);
    const signed = await sign({ credential, settings: { cloudb_project_id: 'of-setting' } });
    expect(signed.path).toBe('/v1/projects/of-account/locations/europe-west4/x');
    expect(headerValue(signed.headers, 'authorization')).toBe('Bearer token');
  });

  it('calls the project from the settings with a given token or with an account that names no project', async () => {
    const settings = { cloudb_project_id: 'example.com:of-setting' };
    const path = '/v1/projects/example.com%3Aof-setting/locations/europe-west4/x';
    expect(await sign({ credential: { api_key: 't' }, settings })).toMatchObject({ path, headers: aPost.headers });
    const credential = { cloudb_service_account_json: account({ project_id: '' }) };
    expect((await sign({ credential, settings })).path).toBe(path);
    expect(vertexAi.headers({ api_key: 't' }, {})).toEqual(['Authorization', 'Bearer t']);
  });

  it('reports that the project is missing', async () => {
    await expect(sign({ credential: { api_key: 't' } })).rejects.toMatchObject({
      report: { code: 'missing-base-url', message: expect.stringContaining('cloudb_project_id is missing.') },
    });
  });

  it('rejects an invalid key file without quoting it', async () => {
    const credential = { cloudb_service_account_json: 'hush' };
    await expect(sign({ credential })).rejects.toThrow(
      /: cloudb_service_account_json is not the key file of a service account\. /,
    );
  });

  it('keeps the project of a passed-through path, and adds the version only if it is missing', async () => {
    const path = '/v1/projects/theirs/locations/global/x';
    expect((await sign({ credential: { api_key: 't' } }, path)).path).toBe(path);
    expect(vertexAi.passThrough?.('/projects/-/models', {})).toBe('/v1/projects/-/models');
    expect(vertexAi.passThrough?.('/v1beta1/projects/p/x', {})).toBe('/v1beta1/projects/p/x');
  });

  it('sends the request type from the settings', () => {
    expect(vertexAi.headers({}, { cloudb_request_type: 'shared' })).toEqual(['X-Vertex-AI-LLM-Request-Type', 'shared']);
  });

  it("shares Claude's signatures with other platforms, but no others", () => {
    const scope = (model: string) => vertexAi.stateScope?.({ fingerprint: 'f', model });
    expect([scope('claude-x'), scope('anthropic.claude-x'), scope('gemini-3-pro')]).toEqual([
      'claude',
      'claude',
      'vertex-ai f',
    ]);
  });

  it.each(['.', '..', '\ud800'])('rejects the project %j, which would change the path', async (project) => {
    const script = { credential: { api_key: 'k' }, settings: { cloudb_project_id: project } };
    await expect(sign(script)).rejects.toThrow('vertex-ai');
  });
});
