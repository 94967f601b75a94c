import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { rawHttp } from '../../support/servers/raw-http.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';

const listed = ['X-Request-Id', 'user-agent', 'Cookie'];

let gateway: GatewayProcess;
let upstream: TestUpstream;

beforeAll(async () => {
  upstream = await startUpstream();
  const target = { provider: 'openai', api_key: '${env:KEY}', custom_host: `${upstream.origin}/v1` };
  gateway = await startGateway({
    files: {
      'gateway.json': { pass_through_headers: listed, configs: 'configs' },
      'configs/plain.json': target,
      'configs/forwarding.json': { ...target, forward_headers: ['x-named'] },
    },
    env: { KEY: 'the-gateways-key' },
  });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

/** Sends a request and returns the headers that reach the provider: names in lower case, and values. */
const passed = async (
  lines: readonly string[],
  config = 'plain',
  path = '/v1/unknown',
): Promise<Map<string, string>> => {
  upstream.handle(({ answer }) => answer({ body: 'ok' }));
  const all = [`x-gw-config: ${config}`, ...lines];
  const { statusLine } = await rawHttp(gateway.origin, {
    method: 'POST',
    path,
    lines: all,
    body: Buffer.from('a body'),
  });
  expect(statusLine).toMatch(/ 200 /);
  const raw = upstream.requests.at(-1)?.rawHeaders ?? [];
  return new Map(raw.flatMap((name, at) => (at % 2 === 0 ? [[name.toLowerCase(), raw[at + 1] ?? '']] : [])));
};

describe('a passed-through request, if the gateway file lists headers', () => {
  it('forwards only those headers, the ones that HTTP needs, and the credential of the target', async () => {
    const headers = await passed([
      ...[
        'X-REQUEST-ID: 1',
        'Cookie: a=1',
        'X-Other: 2',
        'x-forwarded-for: 1.2.3.4',
        'x-named: 3',
        'Origin: http://localhost',
      ],
      ...['Accept: text/plain', 'Accept-Encoding: gzip', 'Content-Type: text/plain', 'Authorization: Bearer theirs'],
    ]);
    expect(Object.fromEntries(headers)).toEqual({
      ...{ 'x-request-id': '1', cookie: 'a=1', accept: 'text/plain', 'accept-encoding': 'gzip' },
      ...{ 'content-type': 'text/plain', 'content-length': '6' },
      ...{ authorization: 'Bearer the-gateways-key', host: upstream.origin.slice('http://'.length) },
      connection: headers.get('connection'),
    });
  });

  it("forwards the headers that the operator's config names", async () => {
    expect((await passed(['x-named: 3', 'x-other: 2'], 'forwarding')).get('x-named')).toBe('3');
  });

  it('forwards no additional header that its caller names', async () => {
    const target = {
      provider: 'openai',
      api_key: 'k',
      custom_host: `${upstream.origin}/v1`,
      forward_headers: ['x-named'],
    };
    const headers = await passed(['x-named: 3', 'x-request-id: 1'], JSON.stringify(target));
    expect([headers.has('x-named'), headers.get('x-request-id')]).toEqual([false, '1']);
    expect(
      (
        await passed(
          ['x-named: 3', 'x-gw-forward-headers: x-named'],
          JSON.stringify({ ...target, forward_headers: [] }),
        )
      ).has('x-named'),
    ).toBe(false);
  });

  it('forwards a subset of what it would forward without the list', async () => {
    const name = fc.constantFrom(
      'x-request-id',
      'user-agent',
      'cookie',
      'x-a',
      'x-b',
      'accept',
      'range',
      'x-gw-metadata',
      'origin-x',
    );
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(name), async (names) => {
        const lines = names.map((each) => `${each}: ${each === 'x-gw-metadata' ? '{}' : 'value'}`);
        const headers = await passed(lines);
        const allowed = new Set(['x-request-id', 'user-agent', 'cookie', 'accept']);
        for (const each of names) expect([each, headers.has(each)]).toEqual([each, allowed.has(each)]);
      }),
      { numRuns: 25 },
    );
  });
});

describe('the list of headers to pass through', () => {
  it.each([
    ['Authorization', /\[unforwardable-header\].*"Authorization" is for credentials/s],
    ['x-gw-config', /\[unforwardable-header\].*is between clients and the gateway/s],
    ['not a name', /\[unforwardable-header\].*is not the name of a header/s],
    ['connection', /\[unforwardable-header\].*is about a connection/s],
  ])('cannot contain %s', async (name, message) => {
    await expect(startGateway({ files: { 'gateway.json': { pass_through_headers: [name] } } })).rejects.toThrow(
      message,
    );
  });
});
