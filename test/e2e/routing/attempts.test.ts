import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGateway } from '../../../index.ts';
import { builtinDialects } from '../../../plugins/dialects/builtin-dialects.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { operationSamples } from '../../operations-table/samples.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { makeKey, sharedStore } from '../../support/gateways/stored-gateway.ts';
import { compileConfig } from '../../support/plans/compile-config.ts';
import { startUpstream, type TestUpstream, type UpstreamCall } from '../../support/servers/upstream-server.ts';
import { openaiAnswer, openaiStream } from '../../support/vendors/openai-wire.ts';

/** Headers of the gateway that an upstream must not be able to set. */
const spoofed = { 'X-GW-Attempts': '"spoofed";status=200', 'x-gw-overhead-ms': '999999.00' };

const answered = (call: UpstreamCall): void => {
  if (call.request.path.startsWith('/failing')) call.json({ error: {} }, { status: 503, headers: spoofed });
  else if (call.request.header('accept') === 'text/event-stream' || call.request.text().includes('"stream":true')) {
    const stream = call.sse({ headers: spoofed });
    for (const frame of openaiStream({ text: 'Hi.' })) stream.send(frame);
    stream.end();
  } else call.json(openaiAnswer({ text: 'Hi.' }), { headers: spoofed });
};

let gateway: GatewayProcess;
let upstream: TestUpstream;
beforeAll(async () => {
  [gateway, upstream] = await Promise.all([startGateway(), startUpstream(answered)]);
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

const target = (folder = '', more: JsonObject = {}): JsonObject => ({
  ...{ provider: 'openai', api_key: 'the-key-of-the-test', custom_host: `${upstream.origin}${folder}/v1` },
  ...more,
});

interface Asked {
  readonly config?: JsonObject | undefined;
  readonly body?: JsonObject | string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const question = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };

const ask = ({ config, body = question, path = '/v1/chat/completions', headers = {} }: Asked): Promise<Response> =>
  fetch(`${gateway.origin}${path}`, {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', 'x-gw-usage': 'true', ...headers },
      ...(config === undefined ? {} : { 'x-gw-config': JSON.stringify(config) }),
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

/** The attempts that an answer lists, without their times. */
const attemptsOf = ({ headers }: Response): readonly string[] => {
  const text = headers.get('x-gw-attempts');
  if (text === null) return [];
  expect(text).toMatch(/^(?:"config[^"]*";status=\d+(?:;error=[a-z-]+)?;ms=\d+\.\d\d(?:, |$))+$/);
  return text.split(', ').map((each) => each.replace(/;ms=.*/, ''));
};

/** The answer's status and attempts. Checks that the gateway's own time is reported once. */
const reported = async (asked: Asked): Promise<readonly [status: number, ...attempts: string[]]> => {
  const response = await ask(asked);
  await response.arrayBuffer();
  expect(response.headers.get('x-gw-overhead-ms')).toMatch(/^\d{1,5}\.\d\d$/);
  return [response.status, ...attemptsOf(response)];
};

const clients = builtinDialects.filter(({ routes = [] }) => routes.length > 0);

describe('an answer whose client requests usage headers', () => {
  it.each(clients.map((dialect) => [dialect.id, dialect] as const))('lists the attempts of %s', async (id, dialect) => {
    const sample = operationSamples[id] ?? expect.unreachable();
    const { path } = dialect.routes?.[0] ?? expect.unreachable();
    const own = (folder: string): JsonObject => ({
      ...{ provider: sample.provider, api_key: 'the-key-of-the-test' },
      ...{ custom_host: `${upstream.origin}${folder}`, ...sample.settings },
    });
    upstream.handle((call) => {
      const answer = sample.answer('Hi.');
      if (call.request.path.startsWith('/failing')) call.json({ message: 'no' }, { status: 503, headers: spoofed });
      else if (!Buffer.isBuffer(answer)) call.json(answer, { headers: spoofed });
      else call.answer({ headers: { ...spoofed, 'content-type': 'audio/mpeg' }, body: answer });
    });
    const body = sample.request('hi');
    const config = { strategy: { mode: 'fallback' }, targets: [own('/failing'), own('')] };
    const full = path.replace('{model}', sample.model ?? 'm');
    const response = await fetch(`${gateway.origin}${full.startsWith('/v') ? '' : '/v1'}${full}`, {
      method: 'POST',
      headers: {
        ...(body instanceof FormData ? {} : { 'content-type': 'application/json' }),
        ...{ 'x-gw-config': JSON.stringify(config), 'x-gw-usage': 'true' },
      },
      body: body instanceof FormData ? body : JSON.stringify(body),
    });
    await response.arrayBuffer();
    upstream.handle(answered);
    expect([response.status, ...attemptsOf(response)]).toEqual([
      200,
      '"config.targets[0]";status=503',
      '"config.targets[1]";status=200',
    ]);
    expect(response.headers.get('x-gw-overhead-ms')).toMatch(/^\d{1,5}\.\d\d$/);
  });

  it('lists the attempts of a stream in its head, and forwards no upstream header with the same names', async () => {
    const config = {
      strategy: { mode: 'fallback' },
      targets: [target('/failing', { retry: { attempts: 1 } }), target()],
    };
    expect(await reported({ config, body: { ...question, stream: true } })).toEqual([
      200,
      '"config.targets[0]";status=503',
      '"config.targets[0]";status=503',
      '"config.targets[1]";status=200',
    ]);
    const silent = await ask({ config: target(), headers: { 'x-gw-usage': 'false' } });
    expect([...silent.headers.keys()].filter((name) => /attempts|overhead/.test(name))).toEqual([]);
  });

  it('lists the attempt of a request that is passed through', async () => {
    expect(await reported({ config: target(), path: '/v1/unmodelled/path', body: { any: 'thing' } })).toEqual([
      200,
      '"config";status=200',
    ]);
    expect(await reported({ config: target('/failing'), path: '/v1/unmodelled/path', body: { any: 'thing' } })).toEqual(
      [503, '"config";status=503'],
    );
  });

  it('reports why an attempt has no answer, without its host and credential', async () => {
    const gone = await startUpstream();
    await gone.close();
    const config = target('', { custom_host: `${gone.origin}/secret-path/v1` });
    const response = await ask({ config });
    expect([response.status, ...attemptsOf(response)]).toEqual([502, '"config";status=502;error=connection-failed']);
    const text = JSON.stringify([...response.headers]);
    for (const secret of ['the-key-of-the-test', 'secret-path', gone.origin]) expect(text).not.toContain(secret);
  });

  it('lists no attempts if none was made: from a cache, or for a denied or invalid request', async () => {
    const cached = { config: target('', { cache: { mode: 'simple' } }) };
    expect(await reported(cached)).toEqual([200, '"config";status=200']);
    expect(await reported(cached)).toEqual([200]);
    const denying = [{ 'default.contains': { words: ['hi'], operator: 'none' }, deny: true }];
    expect(await reported({ config: target('', { input_guardrails: denying }) })).toEqual([446]);
    expect(await reported({ config: target('', { override_params: { top_p: 1 } }), body: 'no JSON' })).toEqual([400]);
    expect(await reported({ config: { provider: 'no-such-provider' } })).toEqual([400]);
    expect(await reported({ config: target(), headers: { 'x-gw-metadata': 'no JSON' } })).toEqual([400]);
    expect(await reported({})).toEqual([400]);
  });

  it('lists the attempts of an answer that is denied afterwards', async () => {
    const denying = [{ 'default.contains': { words: ['Hi'], operator: 'none' }, deny: true }];
    const config = target('', { output_guardrails: denying });
    expect(await reported({ config })).toEqual([446, '"config";status=200']);
    expect((await reported({ config, body: { ...question, stream: true } })).slice(1)).toEqual(['"config";status=200']);
  });
});

describe('a gateway inside a program', () => {
  it('reports attempts and its own time in the same way', async () => {
    const inside = createGateway({ plan: compileConfig('{ "provider": "echo" }') });
    const response = await inside.fetch(
      new Request('http://gateway.internal/v1/chat/completions', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-gw-usage': 'true' },
        body: JSON.stringify(question),
      }),
    );
    expect(attemptsOf(response)).toEqual(['"config";status=200']);
    expect(response.headers.get('x-gw-overhead-ms')).toMatch(/^\d+\.\d\d$/);
    await inside.close();
  });
});

describe('a gateway with a store', () => {
  const stored = sharedStore();

  it('lists the attempts of requests that the control plane sends for a client, once each', async () => {
    const { key } = await makeKey(stored(), 'attempts');
    const post = (path: string, body: JsonObject): Promise<Response> =>
      fetch(`${stored().origin}${path}`, {
        method: 'POST',
        headers: {
          ...{ 'content-type': 'application/json', 'x-gw-api-key': key, 'x-gw-usage': 'true' },
          'x-gw-config': JSON.stringify({ strategy: { mode: 'fallback' }, targets: [target('/failing'), target()] }),
        },
        body: JSON.stringify(body),
      });
    upstream.handle((call) =>
      call.request.path.startsWith('/failing')
        ? answered(call)
        : call.json(operationSamples.responses?.answer('Hi.'), { headers: spoofed }),
    );
    for (const store of [false, true]) {
      const response = await post('/v1/responses', { model: 'm', input: 'hi', store });
      expect([response.status, ...attemptsOf(response)]).toEqual([
        200,
        '"config.targets[0]";status=503',
        '"config.targets[1]";status=200',
      ]);
      expect(response.headers.get('x-gw-overhead-ms')).toMatch(/^\d{1,5}\.\d\d$/);
    }
    upstream.handle(answered);
  });
});
