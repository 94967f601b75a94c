import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateway-process.ts';
import { type RawAnswer, rawHttp } from '../../support/raw-http.ts';
import { startUpstream, type TestUpstream } from '../../support/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';

let gateway: GatewayProcess;
let upstream: TestUpstream;

beforeAll(async () => {
  upstream = await startUpstream((call) => call.json(openaiAnswer({ text: 'hello' })));
  gateway = await startGateway();
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

const guardrail = { 'default.contains': { operator: 'none', words: ['forbidden'] }, deny: true };
const config = (more: object): string =>
  JSON.stringify({ provider: 'openai', api_key: 'k', custom_host: `${upstream.origin}/v1`, ...more });

const ask = (path: string, more: object, method = 'POST'): Promise<RawAnswer> =>
  rawHttp(gateway.origin, {
    method,
    path,
    lines: [`x-gw-config: ${config(more)}`, 'content-type: application/json'],
    body: Buffer.from('{"model":"theirs","messages":[{"role":"user","content":"forbidden"}]}'),
  });

describe('an operation under another spelling of its path', () => {
  const spellings = [
    '/v1/chat/completions/',
    '/v1//chat/completions',
    '/v1/chat//completions',
    '/v1/./chat/completions',
    '/v1/chat/completions/.',
    '/v1/chat/%63ompletions',
    '/v1/chat/%63%6Fmpletions',
    '/v1/chat/%2e/completions',
    '/v1/proxy/chat/completions',
    '/v1/proxy/v1/chat/completions',
    '/v1/v1/chat/completions',
    '/v1/v1/proxy//./%63hat/completions/?a=1',
  ];

  it.each(spellings)('meets its guardrails: %s', async (path) => {
    const before = upstream.requests.length;
    const answer = await ask(path, { input_guardrails: [guardrail] });
    expect(answer.statusLine).toContain(' 446 ');
    expect(upstream.requests.length).toBe(before);
  });

  it.each(spellings)('has its overrides, and reaches the one path: %s', async (path) => {
    const answer = await ask(path, { override_params: { model: 'ours' } });
    expect(answer.statusLine).toContain(' 200 ');
    expect(upstream.requests.at(-1)?.path).toBe('/v1/chat/completions');
    expect(JSON.parse(upstream.requests.at(-1)?.body.toString() ?? '')).toMatchObject({ model: 'ours' });
  });

  it.each(['http://localhost/v1/chat/completions', '/v1/files/../chat/completions', '/v1/%2e%2e/v1/chat/completions'])(
    'is not there where the path leads elsewhere first: %s',
    async (path) => {
      const before = upstream.requests.length;
      expect((await ask(path, {})).statusLine).toContain(' 404 ');
      expect(upstream.requests.length).toBe(before);
    },
  );

  it('is what a condition on the path sees', async () => {
    const target = (name: string): object => ({ name, ...JSON.parse(config({ override_params: { model: name } })) });
    const more = {
      provider: undefined,
      api_key: undefined,
      custom_host: undefined,
      strategy: {
        mode: 'conditional',
        conditions: [{ query: { 'url.pathname': '/v1/chat/completions' }, then: 'chat' }],
        default: 'other',
      },
      targets: [target('chat'), target('other')],
    };
    await ask('/v1/proxy//chat/completions/', more);
    expect(JSON.parse(upstream.requests.at(-1)?.body.toString() ?? '')).toMatchObject({ model: 'chat' });
  });
});
