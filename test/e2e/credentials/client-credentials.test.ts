import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { builtinDialects } from '../../../plugins/dialects/builtin-dialects.ts';
import { runGw } from '../../support/commands/run-gw.ts';
import { type GatewayProcess, startGateway, writeFolder } from '../../support/gateways/gateway-process.ts';
import { acmePlugin } from '../../support/plugins/acme-plugin.ts';
import { rawHttp } from '../../support/servers/raw-http.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';

const ownKey = 'key-of-the-client';
const serviceKey = 'service-key-of-a-team';
const savedKey = 'key-of-the-operator';

let open: GatewayProcess;
let guarded: GatewayProcess;
let upstream: TestUpstream;
let before: number;

beforeAll(async () => {
  upstream = await startUpstream((call) => call.json({ said: 'hello' }));
  const saved = (provider: string) => ({
    provider,
    credential: { api_key: '${env:SAVED_KEY}' },
    settings: { custom_host: `${upstream.origin}/base` },
  });
  const files = {
    'acme.mjs': acmePlugin,
    'gateway.json': {
      plugins: [{ package: './acme.mjs' }],
      providers: { team: saved('acme-cloud') },
      configs: 'configs',
    },
    'configs/listed.json': { provider: '@team', override_params: { model: 'm-1' } },
    'configs/forwarding.json': {
      provider: 'acme-cloud',
      custom_host: `${upstream.origin}/base`,
      forward_headers: ['Authorization', 'x-acme-key', 'x-amz-date'],
    },
  };
  const auth = { keys: [{ id: 'team', key: '${env:SERVICE_KEY}' }] };
  const env = { SAVED_KEY: savedKey, SERVICE_KEY: serviceKey, GW_LOG: 'requests' };
  [open, guarded] = await Promise.all([
    startGateway({ files, env }),
    startGateway({ files: { ...files, 'gateway.json': { ...files['gateway.json'], auth } }, env }),
  ]);
});
afterAll(async () => {
  await Promise.all([open.stop(), guarded.stop()]);
  await upstream.close();
});
beforeEach(() => {
  before = upstream.requests.length;
});

interface Asked {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
}

const ask = async (gateway: GatewayProcess, { path, headers = {}, method = 'POST' }: Asked) => {
  const { statusLine, body } = await rawHttp(gateway.origin, {
    method,
    path,
    lines: Object.entries({ 'content-type': 'application/json', ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
    ...(method === 'POST' ? { body: Buffer.from('{"text":"hi"}') } : {}),
  });
  return { status: Number(statusLine.split(' ')[1]), text: body.toString() };
};

const sent = () => upstream.requests.slice(before).map(({ head, body }) => `${head}\n${body.toString('latin1')}`);

const occurrences = (text: string, part: string): number => text.split(part).length - 1;

/** Paths of the dialect: modelled, a sibling, and an additional one. */
const dialectPaths = [
  '/v2/talk',
  '/v1/v2/talk/',
  '/v1beta/things/m:make',
  '/v1beta/things/m:count',
  '/v1/v1beta/files',
];

const inHeaders: readonly [string, Readonly<Record<string, string>>][] = [
  ['authorization', { Authorization: `Bearer ${ownKey}` }],
  ['x-acme-key', { 'X-Acme-Key': ownKey }],
  ['x-api-key', { 'x-api-key': ownKey }],
  ['api-key', { 'api-key': ownKey }],
];

describe.each(dialectPaths)("a client's credential for %s", (path) => {
  const own = () => ({ 'x-gw-provider': 'acme-cloud', 'x-gw-custom-host': `${upstream.origin}/base` });

  it.each(inHeaders)("is read from the header %s, and sent only in the provider's own form", async (_, headers) => {
    expect((await ask(open, { path, headers: { ...own(), ...headers } })).status).toBe(200);
    const [head = ''] = sent();
    expect(head).toContain(`x-own: ${ownKey}`);
    expect(occurrences(head, ownKey)).toBe(1);
  });

  it.each([`?key=${ownKey}`, `?a=%63&%6Bey=${ownKey}&b`, `?key=${ownKey}&key=${ownKey}`])(
    'is read from the query %s, and the rest of the query stays',
    async (query) => {
      expect((await ask(open, { path: path + query, headers: own() })).status).toBe(200);
      const [head = ''] = sent();
      expect(head).toContain(`x-own: ${ownKey}`);
      expect(occurrences(head, ownKey)).toBe(1);
    },
  );

  it('is not sent if the target has its own', async () => {
    for (const [, headers] of inHeaders)
      await ask(open, { path: `${path}?key=${ownKey}`, headers: { 'x-gw-provider': '@team', ...headers } });
    for (const head of sent()) {
      expect(head).toContain(`x-own: ${savedKey}`);
      expect(head).not.toContain(ownKey);
    }
    expect(sent()).toHaveLength(inHeaders.length);
  });

  it('is read from the header rather than the query', async () => {
    await ask(open, { path: `${path}?key=other-key`, headers: { ...own(), 'x-acme-key': ownKey } });
    expect(sent()[0]).toContain(`x-own: ${ownKey}`);
    expect(sent()[0]).not.toContain('other-key');
  });

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ...inHeaders.map(([name, headers]): [string, Readonly<Record<string, string>>, string] => [
      name,
      Object.fromEntries(Object.entries(headers).map(([each, value]) => [each, value.replace(ownKey, serviceKey)])),
      '',
    ]),
    ['the query', {}, `?key=${serviceKey}`],
    ['the query, beside its own header', { 'x-gw-api-key': serviceKey }, `?key=${serviceKey}`],
  ])('may be a service key, in %s, which is then not sent to a provider', async (_, headers, query) => {
    const { status } = await ask(guarded, { path: path + query, headers: { 'x-gw-provider': '@team', ...headers } });
    expect(status).toBe(200);
    expect(sent()[0]).toContain(`x-own: ${savedKey}`);
    expect(sent()[0]).not.toContain(serviceKey);
  });
});

describe('a service key in a query that no dialect reads', () => {
  const headers = { 'x-gw-provider': '@team', 'x-gw-api-key': serviceKey };
  const coded = serviceKey.replace('service', '%73ervice');

  it.each([
    [`?token=${serviceKey}`, ''],
    [`?a=%20b&token=Bearer+${coded}&c`, '?a=%20b&c'],
    [`?a=1&${coded}`, '?a=1'],
    ['?a=service-key&b=%zz', '?a=service-key&b=%zz'],
  ])('is not sent to a provider, and the rest of the query stays: %s', async (query, rest) => {
    expect((await ask(guarded, { path: `/v1/jobs${query}`, headers })).status).toBe(200);
    expect(upstream.requests.at(-1)?.path).toBe(`/base/jobs${rest}`);
    expect(sent()[0]).toContain(savedKey);
    expect(sent()[0]).not.toMatch(/service-key-of|%73ervice/);
  });
});

describe('a header with a text in the form of a service key', () => {
  const key = `gw-${'a'.repeat(26)}-${'b'.repeat(52)}-${'c'.repeat(6)}`;
  const headers = { 'x-gw-provider': '@team', 'x-gw-api-key': serviceKey };

  it.each([
    ['X-Note', key],
    ['x-long', `of ${key}, or another`],
    ['cookie', `a=1; key=${key}`],
    ['tracestate', `gw=${key}`],
  ])('is not passed through, whoever holds the key: %s', async (name, value) => {
    const answer = await ask(guarded, { path: '/v1/jobs', headers: { ...headers, [name]: value, 'x-other': 'gw-a' } });
    expect(answer.status).toBe(200);
    expect(sent()[0]).toContain('x-other: gw-a');
    expect(sent()[0]).not.toContain(key);
  });

  it.each([
    ['x-gw-provider', { 'x-gw-provider': 'acme-cloud', 'x-gw-custom-host': '' }, 'x-own: '],
    ['forward_headers', { 'x-gw-config': 'forwarding' }, 'Authorization: Bearer '],
  ])('is sent if it is the credential for a provider, which may be another gateway: %s', async (_, target, form) => {
    const host = 'x-gw-custom-host' in target ? { 'x-gw-custom-host': `${upstream.origin}/base` } : {};
    const own = { ...target, ...host, 'x-gw-api-key': serviceKey, Authorization: `Bearer ${key}`, 'x-note': key };
    expect((await ask(guarded, { path: '/v2/talk', headers: own })).status).toBe(200);
    expect(sent()[0]).toContain(`${form}${key}`);
  });
});

describe('a signature of AWS', () => {
  const signature = `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/bedrock/aws4_request, Signature=${ownKey}`;
  const signed = {
    Authorization: signature,
    'X-Amz-Date': '20150830T123600Z',
    'X-Amz-Security-Token': `token-${ownKey}`,
    'X-Amz-Content-Sha256': 'UNSIGNED-PAYLOAD',
  };

  it.each(['/v1/chat/completions', '/v2/talk', '/v1/anything', '/v1/v1beta/files'])(
    'is not a credential, and is not sent to a provider: %s',
    async (path) => {
      const host = `${upstream.origin}/base`;
      const openai = JSON.stringify({ provider: 'openai', api_key: 'k', custom_host: host });
      const target = path === '/v2/talk' ? { 'x-gw-provider': '@team' } : { 'x-gw-config': openai };
      await ask(open, { path, headers: { ...target, ...signed } });
      expect(sent()).toHaveLength(1);
      expect(sent()[0]).not.toMatch(/aws4|x-amz-/i);
      expect(sent()[0]).not.toContain(ownKey);
    },
  );

  it('does not replace the credential that a provider needs', async () => {
    const { status, text } = await ask(open, {
      path: '/v2/talk',
      headers: { 'x-gw-provider': 'acme-cloud', ...signed },
    });
    expect(status).toBe(401);
    expect(text).toContain('missing-credential');
    expect(sent()).toEqual([]);
  });

  it.each(['/v1/chat/completions', '/v2/talk', '/v1/anything'])(
    'is refused if it would have to be forwarded: %s',
    async (path) => {
      for (const headers of [
        { 'x-gw-config': 'forwarding' },
        { 'x-gw-provider': 'acme-cloud', 'x-gw-forward-headers': 'authorization' },
        { 'x-gw-provider': 'acme-cloud', 'x-gw-forward-headers': 'x-amz-security-token' },
      ]) {
        const { status, text } = await ask(open, { path, headers: { ...headers, ...signed } });
        expect(status).toBe(400);
        expect(text).not.toContain(ownKey);
      }
      expect(sent()).toEqual([]);
    },
  );
});

it('does not forward a header that a dialect uses for keys', async () => {
  const { status, text } = await ask(open, {
    path: '/v2/talk',
    headers: { 'x-gw-config': 'forwarding', 'x-acme-key': ownKey },
  });
  expect(status).toBe(400);
  expect(text).toContain('header-not-forwarded');
  expect(sent()).toEqual([]);
});

describe('an error before a provider is chosen', () => {
  it.each<[string, number, Asked]>([
    ['missing-service-key', 401, { path: '/v2/talk' }],
    ['wrong-service-key', 401, { path: '/v1/v1beta/things/m:make?key=wrong' }],
    ['wrong-service-key', 401, { path: '/v1beta/things/m:count', headers: { 'x-acme-key': 'wrong' } }],
    [
      'invalid-header',
      400,
      { path: '/v2/talk', headers: { 'x-gw-api-key': serviceKey, 'x-gw-request-timeout': 'soon' } },
    ],
    ['invalid-path', 400, { path: `/v1beta/things/a%00:make?key=${serviceKey}` }],
  ])('is in the dialect of its path: %s', async (code, status, asked) => {
    const answer = await ask(guarded, asked);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text)).toEqual({ fault: { code, status } });
    expect(sent()).toEqual([]);
  });
});

describe('the refusal of a wrong service key', () => {
  const ofDialects = [...new Set(builtinDialects.flatMap(({ clientCredentials }) => clientCredentials?.headers ?? []))];

  it('covers every header of a dialect', () => {
    expect(ofDialects).toEqual(expect.arrayContaining(['api-key', 'x-api-key', 'x-goog-api-key']));
  });

  it.each<[string, Readonly<Record<string, string>>, string?]>([
    ...[...ofDialects, 'x-acme-key', 'x-gw-api-key'].map((name): [string, Record<string, string>] => [
      `in the header ${name}.`,
      { [name]: 'wrong' },
    ]),
    ['as the bearer token of the header authorization.', { authorization: 'Bearer wrong' }],
    ['as the bearer token of the header authorization.', { 'x-api-key': 'other', authorization: 'Bearer wrong' }],
    ['in the header x-gw-api-key.', { 'x-gw-api-key': 'wrong', authorization: 'Bearer of-a-provider' }],
    ['in the query of the URL.', {}, '?key=wrong'],
  ])('names the place of the key: %s %j', async (place, headers, query = '') => {
    const path = query === '' ? '/v1/chat/completions' : `/v1beta/models/m:generateContent${query}`;
    const { status, text } = await ask(guarded, { path, headers });
    expect([status, text]).toEqual([401, expect.stringContaining(`neither expired nor revoked, ${place}"`)]);
  });
});

describe('a model in the path', () => {
  it('is available to conditions, as is the stream', async () => {
    const target = (name: string) => ({
      name,
      provider: 'acme-cloud',
      api_key: name,
      custom_host: `${upstream.origin}/base`,
    });
    const config = JSON.stringify({
      strategy: {
        mode: 'conditional',
        conditions: [
          { query: { 'params.stream': { $eq: true } }, then: 'streams' },
          { query: { 'params.model': { $eq: 'vendor/m:1' } }, then: 'first' },
        ],
        default: 'others',
      },
      targets: [target('streams'), target('first'), target('others')],
    });
    const chosen = async (path: string) => {
      before = upstream.requests.length;
      await ask(open, { path, headers: { 'x-gw-config': config } });
      return /x-own: (\w+)/.exec(sent()[0] ?? '')?.[1];
    };
    expect(await chosen('/v1beta/things/vendor%2Fm:1:make')).toBe('first');
    expect(await chosen('/v1beta/things/vendor%2Fm%3A1:count')).toBe('first');
    expect(await chosen('/v1beta/things/m:make')).toBe('others');
    expect(await chosen('/v1beta/things/m:streamMake')).toBe('streams');
  });

  it('may name a saved provider', async () => {
    for (const path of [
      '/v1beta/things/@team/m:make',
      '/v1beta/things/%40team%2Fm:make',
      '/v1/v1beta/things/@team/m:count',
    ])
      expect((await ask(open, { path })).status).toBe(200);
    for (const head of sent()) expect(head).toContain(`x-own: ${savedKey}`);
    expect(sent()).toHaveLength(3);
    expect(sent()[2]).toMatch(/^POST \/base\/v1beta\/things\/m:count /);
    const { status, text } = await ask(open, { path: '/v1beta/things/@nobody/m:make' });
    expect([status, JSON.parse(text)]).toEqual([400, { fault: { code: 'invalid-model', status: 400 } }]);
  });
});

it('tries a request for such a path without a gateway', async () => {
  const target = (name: string) => ({ name, provider: 'acme-cloud', api_key: '${env:SAVED_KEY}' });
  const query = { 'params.model': { $eq: 'm' }, 'params.stream': { $eq: true } };
  const config = {
    strategy: { mode: 'conditional', conditions: [{ query, then: 'one' }], default: 'other' },
    targets: [target('one'), target('other')],
  };
  writeFolder({ 'tried.json': config, 'request.json': { path: '/v1beta/things/m:streamMake' } }, open.folder);
  const argv = ['explain', 'tried.json', '--config', 'gateway.json', '--request', 'request.json', '--format', 'json'];
  const { out, err } = await runGw(open.folder, argv);
  expect(err).toBe('');
  expect(JSON.parse(out).request.trail[0]).toMatchObject({ kind: 'chose', branch: 0 });
});

it('returns the list of models in the form of the path', async () => {
  const headers = { 'x-gw-config': 'listed' };
  for (const path of ['/v1beta/things', '/v1/v1beta/things/', `/v1beta/things?pageSize=1&key=${ownKey}`])
    expect(JSON.parse((await ask(open, { method: 'GET', path, headers })).text)).toEqual({ things: ['m-1'] });
  const { text } = await ask(open, { method: 'GET', path: '/models', headers });
  expect(JSON.parse(text)).toMatchObject({ object: 'list', data: [{ id: 'm-1' }] });
});

it('prints no key', () => {
  for (const gateway of [open, guarded]) {
    for (const key of [ownKey, serviceKey, savedKey, 'other-key']) expect(gateway.printed()).not.toContain(key);
    expect(gateway.records().length).toBeGreaterThan(20);
  }
});

it.each(['/v1/models', '/v1beta/models'])(
  "lists models in the form of Google's clients who send a service key: %s",
  async (path) => {
    const headers = { 'x-gw-config': 'listed', 'x-goog-api-key': serviceKey };
    const { text } = await ask(guarded, { method: 'GET', path, headers });
    expect(JSON.parse(text)).toMatchObject({ models: [{ name: 'models/m-1' }] });
  },
);
