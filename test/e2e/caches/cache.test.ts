import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { installedGw } from '../../support/gateways/installed-gateway.ts';
import { startUpstream, type TestUpstream, type UpstreamHandler } from '../../support/servers/upstream-server.ts';
import { openaiAnswer, openaiStream } from '../../support/vendors/openai-wire.ts';

const question = { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'How is it in Graz?' }] };

let upstream: TestUpstream;
let gateway: GatewayProcess;
let namespaces = 0;
let namespace: string;

const vendor: UpstreamHandler = (call) => {
  const body = JSON.parse(call.request.text());
  const reply = { text: `This is answer ${upstream.requests.length}.` };
  if (body.stream !== true)
    return call.json(openaiAnswer(reply), { headers: { 'x-ratelimit-remaining-requests': '7' } });
  const stream = call.sse();
  for (const frame of openaiStream(reply)) stream.send(frame);
  stream.end();
};

beforeAll(async () => {
  upstream = await startUpstream(vendor);
  const cached = {
    provider: 'openai',
    api_key: '${env:KEY}',
    custom_host: `${upstream.origin}/v1`,
    cache: { mode: 'simple', max_age: 600 },
  };
  gateway = await startGateway({
    files: {
      'gateway.json': {
        configs: 'configs',
        default_config: 'cached',
        auth: { keys: ['a', 'b'].map((id) => ({ id, key: `\${env:KEY_${id.toUpperCase()}}` })) },
        trusted_hosts: ['127.0.0.1'],
      },
      'configs/cached.json': cached,
    },
    env: { KEY: 'secret', KEY_A: 'key-a', KEY_B: 'key-b', GW_LOG: 'requests' },
  });
});
beforeEach(() => {
  upstream.handle(vendor);
  namespaces += 1;
  namespace = `test-${namespaces}`;
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

const post = (
  body: object = {},
  headers: Readonly<Record<string, string>> = {},
  init: RequestInit = {},
): Promise<Response> =>
  fetch(`${gateway.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-gw-api-key': 'key-a',
      'x-gw-cache-namespace': namespace,
      ...headers,
    },
    body: JSON.stringify({ ...question, ...body }),
    ...init,
  });

const toStatus = (answer: Response): string | null => answer.headers.get('x-gw-cache-status');

/** The number of upstream calls while something runs. */
const callsDuring = async (work: () => Promise<unknown>): Promise<number> => {
  const before = upstream.requests.length;
  await work();
  return upstream.requests.length - before;
};

describe('a cache over real sockets', () => {
  it('answers a repeated request without the headers of the first call', async () => {
    const first = await post();
    const second = await post();
    expect([toStatus(first), toStatus(second)]).toEqual(['MISS', 'HIT']);
    expect(await second.text()).toBe(await first.text());
    expect(first.headers.get('x-ratelimit-remaining-requests')).toBe('7');
    expect(second.headers.get('x-ratelimit-remaining-requests')).toBeNull();
    expect(second.headers.get('x-gw-retry-attempt-count')).toBe('0');
    expect(second.headers.get('age')).toMatch(/^\d+$/);
  });

  it('replays a stream byte for byte', async () => {
    const first = await post({ stream: true });
    const text = await first.text();
    const second = await post({ stream: true });
    expect([toStatus(first), toStatus(second)]).toEqual(['MISS', 'HIT']);
    expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(await second.text()).toBe(text);
  });

  it('makes one call for a thousand equal requests at the same time', async () => {
    let answer = (): void => {};
    upstream.handle((call) => {
      if (call.request.text().includes('marker')) return call.json(openaiAnswer({ text: 'marked' }));
      answer = () => call.json(openaiAnswer({ text: 'shared' }));
    });
    const calls = await callsDuring(async () => {
      const answers = Array.from({ length: 1000 }, () => post());
      // When this one is answered, the gateway has read the requests of all connections.
      await post({ user: 'marker' });
      answer();
      const statuses = (await Promise.all(answers)).map(toStatus);
      expect([
        statuses.filter((status) => status === 'MISS').length,
        statuses.filter((s) => s === 'HIT').length,
      ]).toEqual([1, 999]);
    });
    expect(calls).toBe(2);
  });

  it('answers the waiting requests if the client of the first disconnects', async () => {
    const arrived = Promise.withResolvers<() => void>();
    upstream.handle((call) => {
      if (call.request.text().includes('marker')) return call.json(openaiAnswer({ text: 'marked' }));
      arrived.resolve(() => call.json(openaiAnswer({ text: 'shared' })));
    });
    const client = new AbortController();
    const first = post({}, {}, { signal: client.signal }).catch(() => 'left');
    const answer = await arrived.promise;
    const others = [post(), post(), post()];
    await post({ user: 'marker' });
    client.abort();
    expect(await first).toBe('left');
    await post({ user: 'another marker' });
    answer();
    expect((await Promise.all(others)).map(toStatus)).toEqual(['HIT', 'HIT', 'HIT']);
  });

  it('keeps the answers of tenants and callers apart', async () => {
    const asked = [{}, { 'x-gw-api-key': 'key-b' }, { 'x-gw-cache-namespace': 'other' }];
    for (const round of ['MISS', 'HIT'])
      for (const headers of asked) expect(toStatus(await post({}, headers))).toBe(round);
  });

  it('follows the cache headers of the caller', async () => {
    const statuses: (string | null)[] = [];
    for (const headers of [
      {},
      { 'x-gw-cache-force-refresh': 'false' },
      { 'x-gw-cache-force-refresh': 'False' },
      { 'x-gw-cache-force-refresh': 'true' },
      { 'x-gw-debug': 'false' },
      { 'x-gw-debug': 'true' },
    ])
      statuses.push(toStatus(await post({}, headers)));
    expect(statuses).toEqual(['MISS', 'HIT', 'HIT', 'REFRESH', 'DISABLED', 'HIT']);
  });

  it('serves configs of callers too, separately for each credential', async () => {
    const config = (key: string): Readonly<Record<string, string>> => ({
      'x-gw-config': JSON.stringify({
        provider: 'openai',
        api_key: key,
        custom_host: `${upstream.origin}/v1`,
        cache: { mode: 'simple' },
      }),
    });
    const statuses: (string | null)[] = [];
    for (const key of ['one', 'two', 'one', 'two']) statuses.push(toStatus(await post({}, config(key))));
    expect(statuses).toEqual(['MISS', 'MISS', 'HIT', 'HIT']);
  });

  it('separates answers by a namespace instead of forwarded headers, and always by forwarded credentials', async () => {
    const config = JSON.stringify({
      provider: 'openai',
      custom_host: `${upstream.origin}/v1`,
      cache: { mode: 'simple' },
      forward_headers: ['X-Request-Id', 'OpenAI-Beta', 'X-Api-Key'],
    });
    const statuses: (string | null)[] = [];
    for (const headers of [
      { 'x-request-id': 'one' },
      { 'x-request-id': 'two' },
      {},
      { 'x-api-key': 'of-another' },
      { 'openai-beta': 'another-form' },
      { 'x-request-id': 'two', 'x-gw-cache-namespace': '' },
      { 'x-request-id': 'one', 'x-gw-cache-namespace': '' },
    ])
      statuses.push(toStatus(await post({}, { 'x-gw-config': config, ...headers })));
    expect(statuses).toEqual(['MISS', 'HIT', 'HIT', 'MISS', 'MISS', 'MISS', 'MISS']);
  });

  it('marks a hit in the log, and gw explain repeats it', async () => {
    await (await post()).text();
    const trace = `hit-${namespace}`;
    await (await post({}, { 'x-gw-trace-id': trace })).text();
    const logged = (): Record<string, unknown> | undefined => gateway.records().find((each) => each.trace === trace);
    while (logged() === undefined) await new Promise((resolve) => setImmediate(resolve));
    expect(logged()).toMatchObject({ status: 200, trail: [{ kind: 'cached', path: '', status: 'HIT', ageS: 0 }] });
    writeFileSync(path.join(gateway.folder, 'line.json'), JSON.stringify(logged()));
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [installedGw, 'explain', 'configs/cached.json', '--request', 'line.json', '--config', 'gateway.json'],
      { cwd: gateway.folder },
    );
    expect(stdout).toContain('answered from the cache (HIT), stored 0 ms before');
    expect(stdout).not.toContain('attempt 1');
  });
});
