import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../../support/gateways/gateway-process.ts';
import { acmePlugin } from '../../../support/plugins/acme-plugin.ts';
import { type RawAnswer, rawHttp } from '../../../support/servers/raw-http.ts';
import { startUpstream, type TestUpstream } from '../../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../../support/vendors/openai-wire.ts';

let gateway: GatewayProcess;
let upstream: TestUpstream;

beforeAll(async () => {
  upstream = await startUpstream((call) => call.json(openaiAnswer({ text: 'hello' })));
  gateway = await startGateway({
    files: { 'acme.mjs': acmePlugin, 'gateway.json': { plugins: [{ package: './acme.mjs' }] } },
  });
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
    '/chat/completions',
    '//chat/%63ompletions/.',
    'http://localhost/v1/chat/completions',
  ];

  it.each(spellings)('is subject to its guardrails: %s', async (path) => {
    const before = upstream.requests.length;
    const answer = await ask(path, { input_guardrails: [guardrail] });
    expect(answer.statusLine).toContain(' 446 ');
    expect(upstream.requests.length).toBe(before);
  });

  it.each(spellings)('gets its overrides, and reaches the canonical path: %s', async (path) => {
    const answer = await ask(path, { override_params: { model: 'ours' } });
    expect(answer.statusLine).toContain(' 200 ');
    expect(upstream.requests.at(-1)?.path).toBe('/v1/chat/completions');
    expect(JSON.parse(upstream.requests.at(-1)?.body.toString() ?? '')).toMatchObject({ model: 'ours' });
  });

  it.each(['/v1/files/../chat/completions', '/v1/%2e%2e/v1/chat/completions'])(
    'does not exist if the path leads elsewhere first: %s',
    async (path) => {
      const before = upstream.requests.length;
      expect((await ask(path, {})).statusLine).toContain(' 404 ');
      expect(upstream.requests.length).toBe(before);
    },
  );

  it('matches a condition on the canonical path', async () => {
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

describe('an operation with the model in its path, under another spelling', () => {
  const target = (more: object): object => ({
    provider: 'acme-cloud',
    api_key: 'k',
    custom_host: `${upstream.origin}/v1`,
    ...more,
  });
  const send = (path: string, text: string, more: object): Promise<RawAnswer> =>
    rawHttp(gateway.origin, {
      method: 'POST',
      path,
      lines: [`x-gw-config: ${JSON.stringify(target(more))}`, 'content-type: application/json'],
      body: Buffer.from(JSON.stringify({ text })),
    });

  it.each([
    '/v1beta/things/m:make',
    '/v1/v1beta/things/m:make',
    '/v1/v1/v1beta/things/m:make/',
    '/v1/proxy/v1beta/things/m:make',
    '//v1beta//things/./m:make',
    '/v1beta/%74hings/%6d:%6dake',
    '/v1beta/things/m%3amake',
    '/v1beta/things/a%2Fb:make?a=1',
    '/v1beta/things/@acme-cloud/m:make',
    '/v1/v1beta/things/%40acme-cloud/m:make/?',
    '/v1/%76%31beta/things/m:make',
    'http://localhost/v1beta/things/m:make',
  ])('is subject to its guardrails: %s', async (path) => {
    const before = upstream.requests.length;
    const answer = await send(path, 'forbidden', { input_guardrails: [guardrail] });
    expect(answer.statusLine).toContain(' 446 ');
    expect(upstream.requests.length).toBe(before);
  });

  it.each([
    '/v1beta/things/m:count',
    '/v1/v1beta/things/m:count/',
    '/v1/v1beta/things/m:unmake',
    '/v1/v1beta/Things/m:make',
    '/v1/v1beta/things/m%253Amake',
    '/v1/v1beta/things/vendor/m:make',
  ])('is refused beside a guardrail if it is a different path whose body is not modelled: %s', async (path) => {
    const before = upstream.requests.length;
    const answer = await send(path, 'forbidden', { input_guardrails: [guardrail] });
    expect(answer.statusLine).toContain(' 403 ');
    expect(answer.body.toString()).toContain('unjudged-request');
    expect(upstream.requests.length).toBe(before);
  });

  it.each([
    '/v1beta/things/../things/m:make',
    '/v1beta/things/%2e%2e%2fm:make',
    '/v1/v1beta/things/a%2f..%2fb:make',
    '/V1beta/things/m:make',
  ])('does not exist if the path leads elsewhere, or is unknown at the root: %s', async (path) => {
    const before = upstream.requests.length;
    expect((await send(path, 'forbidden', {})).statusLine).toContain(' 404 ');
    expect(upstream.requests.length).toBe(before);
  });

  it('is refused with 501 if it belongs to another dialect, because only providers of that dialect have it', async () => {
    const before = upstream.requests.length;
    expect((await send('/v1beta/things/m:unmake', 'forbidden', {})).statusLine).toContain(' 501 ');
    expect(upstream.requests.length).toBe(before);
  });

  it.each([
    '/v1beta/things/..:make',
    '/v1beta/things/:make',
    '/v1beta/things/a%0d%0ab:make',
    '/v1beta/things/%ff:make',
  ])('is refused if the model cannot be sent as one segment: %s', async (path) => {
    const before = upstream.requests.length;
    expect((await send(path, 'forbidden', {})).statusLine).toContain(' 400 ');
    expect(upstream.requests.length).toBe(before);
  });
});

describe('a body on a path that is not modelled', () => {
  const paths = ['/v1/assistants', '/v1/proxy/assistants', '/v1/Chat/Completions', '/v1/chat%2Fcompletions'];
  const checking = { input_guardrails: [guardrail] };

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'GET', 'OPTIONS'])(
    'is refused if a guardrail may deny, also with %s',
    async (method) => {
      const before = upstream.requests.length;
      for (const path of [...paths, ...(method === 'POST' ? [] : ['/v1/chat/completions'])])
        for (const more of [checking, { output_guardrails: [guardrail] }]) {
          const answer = await ask(path, more, method);
          expect(answer.statusLine).toContain(' 403 ');
          expect(answer.body.toString()).toContain('"unjudged-request"');
        }
      expect(upstream.requests.length).toBe(before);
    },
  );

  it('is refused if its length is not announced, or if it claims to be another protocol', async () => {
    const chunked = await rawHttp(gateway.origin, {
      method: 'POST',
      path: '/v1/assistants',
      lines: [`x-gw-config: ${config(checking)}`, 'transfer-encoding: chunked', 'upgrade: websocket'],
    });
    expect(chunked.statusLine).toContain(' 403 ');
  });

  it('cannot request another method by a method-override header', async () => {
    for (const name of ['X-HTTP-Method-Override', 'x-http-method', 'X-Method-Override']) {
      const answer = await rawHttp(gateway.origin, {
        method: 'GET',
        path: '/v1/chat/completions',
        lines: [`x-gw-config: ${config({ override_params: { model: 'ours' } })}`, `${name}: POST`],
        body: Buffer.from('{"model":"theirs"}'),
      });
      expect(answer.statusLine).toContain(' 200 ');
      expect(upstream.requests.at(-1)?.head).not.toMatch(/method/i);
    }
  });

  it('passes if guardrails only report, and a request without a body passes in any case', async () => {
    const reporting = { input_guardrails: [{ ...guardrail, deny: false }] };
    expect((await ask('/v1/assistants', reporting)).statusLine).toContain(' 200 ');
    for (const method of ['GET', 'POST', 'HEAD', 'DELETE']) {
      const lines = [`x-gw-config: ${config(checking)}`, ...(method === 'POST' ? ['content-length: 0'] : [])];
      const answer = await rawHttp(gateway.origin, { method, path: '/v1/assistants/r1', lines });
      expect(answer.statusLine).toContain(' 200 ');
    }
  });

  it('is refused by the target that has the guardrail, so that a fallback can answer', async () => {
    const target = (more: object): object => JSON.parse(config(more));
    const answer = await ask('/v1/assistants', {
      provider: undefined,
      api_key: undefined,
      custom_host: undefined,
      strategy: { mode: 'fallback', on_status_codes: [403] },
      targets: [target(checking), target({})],
    });
    expect(answer.statusLine).toContain(' 200 ');
    expect(answer.lines).toContain('x-gw-last-used-option-index: config.targets[1]');
  });

  it('passes unjudged if the gateway file allows it', async () => {
    const allowing = await startGateway({ files: { 'gateway.json': { pass_through: 'allow' } } });
    const answer = await rawHttp(allowing.origin, {
      method: 'POST',
      path: '/v1/assistants',
      lines: [`x-gw-config: ${config(checking)}`],
      body: Buffer.from('forbidden'),
    });
    await allowing.stop();
    expect(answer.statusLine).toContain(' 200 ');
    expect(upstream.requests.at(-1)?.body.toString()).toBe('forbidden');
  });
});
