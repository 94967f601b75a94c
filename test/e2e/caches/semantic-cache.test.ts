import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { patience } from '../../support/run/patience.ts';
import { startUpstream, type TestUpstream, type UpstreamHandler } from '../../support/servers/upstream-server.ts';
import { openaiAnswer, openaiStream } from '../../support/vendors/openai-wire.ts';

/** A provider of answers and of vectors, for which all texts are equal. */
const vendor: UpstreamHandler = (call) => {
  const { request } = call;
  if (request.path.endsWith('/embeddings'))
    return call.json({ object: 'list', data: [{ object: 'embedding', index: 0, embedding: [0.6, 0.8] }], model: 'e' });
  if (JSON.parse(request.text()).stream !== true) return call.json(openaiAnswer({ text: 'Paris.' }));
  const stream = call.sse();
  for (const frame of openaiStream({ text: 'Paris.' })) stream.send(frame);
  stream.end();
};

const saved = (origin: string): object => ({
  provider: 'openai',
  credential: { api_key: '${env:MODELS_KEY}' },
  settings: { custom_host: `${origin}/v1` },
});

let upstream: TestUpstream;
let gateway: GatewayProcess;

beforeAll(async () => {
  upstream = await startUpstream(vendor);
  gateway = await startGateway({
    files: {
      'gateway.json': {
        configs: 'configs',
        default_config: 'semantic',
        providers: { models: saved(upstream.origin), vectors: saved(upstream.origin) },
        cache: { semantic: { provider: '@vectors', model: 'text-embedding-3-small' } },
      },
      'configs/semantic.json': { provider: '@models', cache: { mode: 'semantic', max_age: 600 } },
    },
    env: { MODELS_KEY: 'k1', GW_LOG: 'requests' },
  });
});
beforeEach(() => upstream.handle(vendor));
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

const ask = async (content: string, more: object = {}): Promise<readonly [string | null, string]> => {
  const answer = await fetch(`${gateway.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content }], ...more }),
  });
  return [answer.headers.get('x-gw-cache-status'), await answer.text()];
};

const embeddings = () => upstream.requests.filter(({ path }) => path === '/v1/embeddings');

/**
 * Sends the question until the vector of an answer is stored, for which no request waits. Each attempt has one more space at
 * the end, so that it is another request with the same question.
 */
const askedUntilHit = (content: string, more: object = {}): Promise<readonly [string | null, string]> => {
  let spaces = 0;
  return vi.waitFor(async () => {
    spaces += 1;
    const asked = await ask(content + ' '.repeat(spaces), more);
    expect(asked[0]).toBe('SEMANTIC HIT');
    return asked;
  }, patience);
};

describe('a config with the cache mode "semantic"', () => {
  it('answers a rephrased question, and an identical one exactly', async () => {
    const [missed, answer] = await ask('What is the capital of France?');
    expect(missed).toBe('SEMANTIC MISS');
    expect(await ask('What is the capital of France?')).toEqual(['HIT', answer]);
    await vi.waitFor(() => expect(embeddings()).toHaveLength(1), patience);
    expect(JSON.parse(embeddings()[0]?.text() ?? '')).toEqual({
      model: 'text-embedding-3-small',
      input: 'What is the capital of France?',
    });
    expect(embeddings()[0]?.header('authorization')).toBe('Bearer k1');
    const more = { temperature: 0 };
    await ask('Who wrote the novel Emma?', more);
    const asked = await askedUntilHit('Please tell me who wrote the novel Emma.', more);
    expect(asked[1]).toContain('Paris.');
    const hit = { kind: 'cached', path: '', status: 'SEMANTIC HIT', ageS: expect.any(Number), similarity: 1 };
    await vi.waitFor(() => expect(gateway.records().map(({ trail }) => trail)).toContainEqual([hit]), patience);
  });

  it('does not answer a question about something else, even if all vectors are equal', async () => {
    await ask('How far is 5 km for me?');
    await askedUntilHit('How far is 5km for me, please?');
    for (const other of ['How far is 6 km for me?', 'How far is 5 miles for me?', 'How far is not 5 km for me?'])
      expect((await ask(other))[0]).toBe('SEMANTIC MISS');
    expect((await ask('How far is 5km for me, please?', { temperature: 1 }))[0]).toBe('SEMANTIC MISS');
  });

  it('replays a stream as a stream', async () => {
    const [, streamed] = await ask('Where is the source of the Rhine?', { stream: true });
    const [, replayed] = await askedUntilHit('Tell me where the source of the Rhine is.', { stream: true });
    expect(replayed).toBe(streamed);
    expect(replayed).toContain('data: [DONE]');
  });

  it('does not apply to a request that is not a question in English', async () => {
    expect((await ask('Translate to French: hello'))[0]).toBe('MISS');
    const turns = Array.from({ length: 5 }, () => ({ role: 'user', content: 'What is the capital of France?' }));
    expect((await ask('', { messages: turns }))[0]).toBe('MISS');
  });

  it('answers without vectors if their provider fails or hangs', async () => {
    await ask('What is the capital of Peru?');
    await askedUntilHit('Please tell me what the capital of Peru is.');
    const fail: UpstreamHandler = (call) =>
      call.request.path.endsWith('/embeddings')
        ? call.json({ error: { message: 'no' } }, { status: 500 })
        : vendor(call);
    upstream.handle(fail);
    expect((await ask('I want to know what the capital of Peru is.'))[0]).toBe('SEMANTIC MISS');
    const hang: UpstreamHandler = (call) => (call.request.path.endsWith('/embeddings') ? undefined : vendor(call));
    upstream.handle(hang);
    const [status, answer] = await ask('I wonder what the capital of Peru is.');
    expect([status, answer.includes('Paris.')]).toEqual(['SEMANTIC MISS', true]);
  });
});

describe('a gateway file with an invalid cache', () => {
  const openai = { provider: 'openai', credential: { api_key: '${env:KEY}' } };
  const claude = { provider: 'anthropic', credential: { api_key: '${env:KEY}' } };
  it.each([
    [{ provider: '@opanai', model: 'e' }, 'There is no saved provider "opanai".', 'Did you mean "openai"?'],
    [{ provider: '@constructor', model: 'e' }, 'There is no saved provider "constructor".', 'The gateway file saves'],
    [{ provider: '@claude', model: 'e' }, 'The provider "anthropic" offers no embeddings', 'Name a saved provider'],
    [{ provider: '@prod', model: 'e' }, '"prod" is a virtual key, but', 'Save it under "providers" as well'],
    [{ provider: '@openai', model: 'e', url: '${env:DB}' }, 'the answers that they lead to are not', '"cache.url"'],
  ])('is reported with the place of the mistake: %j', async (semantic, message, hint) => {
    const cwd = temporaryFolder({
      'gateway.json': { providers: { openai, claude }, virtual_keys: { prod: openai }, cache: { semantic } },
      'a.json': { provider: 'echo' },
    });
    const { out } = await runGw(cwd, ['check', 'a.json']);
    expect(out).toContain(message);
    expect(out).toContain(hint);
    expect(out).toContain('gateway.json:');
  });

  it('is reported by gw check and gw serve if it names no provider of vectors', async () => {
    const cached = { provider: 'echo', cache: { mode: 'semantic' } };
    const without = { configs: 'configs', default_config: 'none' };
    const cwd = temporaryFolder({ 'gateway.json': without, 'configs/cached.json': cached });
    const checked = await runGw(cwd, ['check', 'configs/cached.json']);
    expect(checked.out).toMatch(/warning\[no-vectors\].*\n.*configs\/cached\.json:\d+:\d+ {2}\/cache\/mode\n/);
    const served = await runGw(cwd, ['serve', '--port', '0']);
    expect(served.err).toContain('warning[no-vectors]');

    const vectors = { cache: { semantic: { provider: '@openai', model: 'e' } }, providers: { openai } };
    const withVectors = temporaryFolder({
      'gateway.json': vectors,
      'a.json': cached,
      'simple.json': { provider: 'echo', cache: { mode: 'simple' } },
    });
    expect((await runGw(withVectors, ['check', '.'])).out).not.toContain('no-vectors');
    // Without a gateway file, it is unknown which gateway will serve the config.
    expect((await runGw(temporaryFolder({ 'a.json': cached }), ['check', '.'])).out).not.toContain('no-vectors');
  });
});
