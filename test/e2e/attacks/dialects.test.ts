import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { lookups, noNames } from '../../support/servers/no-names.ts';
import { rawHttp } from '../../support/servers/raw-http.ts';
import { type ReceivedRequest, startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';

const operatorKey = 'key-of-the-operator';
const clientKey = 'key-of-the-client';

const lookedUp = (): readonly string[] => lookups(gateway.printed()).map(({ name }) => name);

let gateway: GatewayProcess;
let upstream: TestUpstream;
/** An address that no credential may reach. */
let attacker: TestUpstream;
let before = 0;

const saved = (provider: string, credential: readonly string[], settings: object = {}) => ({
  provider,
  credential: Object.fromEntries(credential.map((field) => [field, '${env:OPERATOR_KEY}'])),
  settings: { custom_host: upstream.origin, ...settings },
});

const vertex = { cloudb_region: 'europe-west4', cloudb_project_id: 'acme' };
const azure = { resource_name: 'acme', api_version: '2024-10-21' };

beforeAll(async () => {
  [upstream, attacker] = await Promise.all([startUpstream(), startUpstream((call) => call.json({}))]);
  gateway = await startGateway({
    files: {
      'gateway.json': {
        providers: {
          google: saved('google', ['api_key']),
          'vertex-ai': saved('vertex-ai', ['api_key'], vertex),
          bedrock: saved('bedrock', ['api_key'], { cloudc_region: 'eu-west-1' }),
          'azure-openai': saved('azure-openai', ['api_key'], azure),
          machine: { provider: 'azure-openai', settings: { ...azure, clouda_auth_mode: 'managed' } },
        },
      },
    },
    env: { OPERATOR_KEY: operatorKey, GW_LOG: 'requests', NODE_OPTIONS: `--import=${noNames}` },
  });
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all([upstream.close(), attacker.close()]);
});
beforeEach(() => {
  upstream.handle((call) => call.json(openaiAnswer({ text: 'hello' })));
  before = upstream.requests.length;
});

const received = (): readonly ReceivedRequest[] => upstream.requests.slice(before);

const chat = { messages: [{ role: 'user', content: 'hi' }] };

interface Asked {
  readonly path?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

const ask = async ({ path = '/v1/chat/completions', body = chat, headers = {} }: Asked) => {
  const { statusLine, body: bytes } = await rawHttp(gateway.origin, {
    method: 'POST',
    path,
    lines: Object.entries({ 'content-type': 'application/json', ...headers }).map(
      ([name, value]) => `${name}: ${Buffer.from(value).toString('latin1')}`,
    ),
    body: Buffer.from(JSON.stringify(body)),
  });
  return { status: Number(statusLine.split(' ')[1]), text: bytes.toString() };
};

const config = (value: object): Record<string, string> => ({ 'x-gw-config': JSON.stringify(value) });

/** The pattern that each path must match, for every model name. */
const shapes: Readonly<Record<string, RegExp>> = {
  google: /^\/(?:models|tunedModels)\/[^/?#\s]+:generateContent$/,
  'vertex-ai':
    /^\/v1\/projects\/acme\/locations\/europe-west4\/(?:publishers\/[a-z0-9-]+\/models\/[^/?#\s]+:(?:generateContent|rawPredict)|endpoints\/(?:[^/?#\s]+(?::generateContent|\/chat\/completions)|openapi\/chat\/completions))$/,
  bedrock: /^\/model\/[^/?#\s]+\/converse$/,
  'azure-openai': /^\/deployments\/[^/?#\s]+\/chat\/completions\?api-version=2024-10-21$/,
};

const names = [
  '../x',
  'a/../../b',
  '..',
  '.',
  '%2e%2e',
  '%2e%2e%2fx',
  '..%2f..%2fadmin',
  'a?key=1',
  'a#b',
  'a b',
  'a\r\nx-injected: 1',
  'a\\..\\b',
  'a;b=c',
  'a:streamGenerateContent?alt=sse',
  '//evil.example/a',
  'http://evil.example/a',
  '@evil.example',
  'models/../../x',
  'tunedModels/..',
  'anthropic.../../x',
  'endpoints./../x',
  'meta./x/../y',
  '\u0000',
  '\ud800',
  '日本/../語',
  'x'.repeat(10_000),
];

const ways: readonly [string, (provider: string, model: string) => Asked][] = [
  ['in the body', (provider, model) => ({ body: { ...chat, model }, headers: config({ provider: `@${provider}` }) })],
  [
    'in an override',
    (provider, model) => ({ headers: config({ provider: `@${provider}`, override_params: { model } }) }),
  ],
  ['after a provider slug', (provider, model) => ({ body: { ...chat, model: `@${provider}/${model}` } })],
];

/** Checks that every request was sent to the path of the operation, with only the credential of its target. */
const expectInPlace = (provider: string, { status, text }: { status: number; text: string }): void => {
  const shape = shapes[provider] ?? expect.unreachable();
  for (const { path, head } of received()) {
    expect(path).toMatch(shape);
    const segments = decodeURIComponent(path.replaceAll(/%(?![0-9a-f]{2})/gi, '%25')).split('?')[0] ?? '';
    expect(path.split('/')).not.toContain('..');
    expect(path.split('/')).not.toContain('.');
    expect(segments.length).toBeLessThan(40_000);
    expect(head).not.toMatch(/^x-injected/im);
  }
  if (received().length === 0) expect(status).toBeGreaterThanOrEqual(400);
  expect(status).not.toBe(500);
  expect(text).not.toContain(operatorKey);
};

describe.each(Object.keys(shapes))('a model name for %s', (provider) => {
  it.each(ways)('is sent as one segment of the path, or refused: %s', async (_, asked) => {
    for (const name of names) {
      before = upstream.requests.length;
      expectInPlace(provider, await ask(asked(provider, name)));
    }
  });

  it("is sent as one segment of the path, or refused, if it comes from the client's path", async () => {
    for (const name of names) {
      for (const written of [encodeURIComponent(name.toWellFormed()), encodeURI(name.toWellFormed())]) {
        for (const path of [`/v1beta/models/${written}:generateContent`, `/model/${written}/converse`]) {
          before = upstream.requests.length;
          const body = path.startsWith('/model/')
            ? { messages: [{ role: 'user', content: [{ text: 'hi' }] }] }
            : { contents: [{ parts: [{ text: 'hi' }] }] };
          const answer = await ask({ path, body, headers: config({ provider: `@${provider}` }) });
          // A path without a valid model name is not a path of the dialect, and is passed through unchanged.
          const isModelled = received().every((request) => (shapes[provider] ?? /^$/).test(request.path));
          if (isModelled) expectInPlace(provider, answer);
          for (const request of received()) expect(request.path.split(/[/?]/)).not.toContain('..');
          expect(answer.status).not.toBe(500);
        }
      }
    }
  });
});

describe("a service account's key file", () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const file = (tokenUri: string) => ({
    type: 'service_account',
    client_email: 'a@acme.iam.gserviceaccount.com',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    project_id: 'acme',
    token_uri: tokenUri,
  });

  it('cannot choose where a signed statement of the account is sent', async () => {
    const calls = attacker.requests.length;
    const uris = [attacker.origin, `http://127.0.0.1:${attacker.port}/token`, 'http://169.254.169.254/token'];
    for (const uri of uris) {
      const answer = await ask({
        body: { ...chat, model: 'gemini-2.5-pro' },
        headers: {
          'x-gw-provider': 'vertex-ai',
          'x-gw-cloudb-region': 'europe-west4',
          'x-gw-cloudb-service-account-json': JSON.stringify(file(uri)),
          'x-gw-custom-host': attacker.origin,
          'x-gw-request-timeout': '2000',
        },
      });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.text).not.toContain('PRIVATE KEY');
    }
    expect(attacker.requests.length).toBe(calls);
    expect(new Set(lookedUp())).toEqual(new Set(['oauth2.googleapis.com']));
  });
});

/** Credentials that a client may present, for one provider or another. */
const presented: Readonly<Record<string, string>> = {
  authorization: `AWS4-HMAC-SHA256 Credential=${clientKey}/20260101/us-east-1/bedrock/aws4_request, SignedHeaders=host, Signature=${clientKey}`,
  'x-amz-security-token': clientKey,
  'x-amz-date': `20260101T000000Z-${clientKey}`,
  'x-goog-api-key': clientKey,
  'api-key': clientKey,
  'x-api-key': clientKey,
};

describe("a client's credential", () => {
  const routes: readonly (readonly [string, object])[] = [
    ['/v1/chat/completions', chat],
    ['/v1/messages', { max_tokens: 5, ...chat }],
    ['/v1/responses', { input: 'hi' }],
    ['/v2/chat', chat],
    ['/v1beta/models/m:generateContent', { contents: [{ parts: [{ text: 'hi' }] }] }],
    ['/model/m/converse', { messages: [{ role: 'user', content: [{ text: 'hi' }] }] }],
    ['/v1/files', {}],
    ['/v1beta/models/m:countTokens', {}],
    ['/model/m/count-tokens', {}],
  ];

  const expectOperatorsAlone = (): void => {
    for (const { head, body } of received()) {
      expect(head).not.toContain(clientKey);
      expect(body.toString()).not.toContain(clientKey);
    }
  };

  it.each(routes)(
    'is not sent to a saved provider from %s, nor to the target after one that failed',
    async (path, body) => {
      for (const provider of Object.keys(shapes)) {
        before = upstream.requests.length;
        await ask({
          path,
          body: { model: 'm', ...body },
          headers: { ...presented, ...config({ provider: `@${provider}` }) },
        });
        expectOperatorsAlone();
      }
      upstream.handle((call) => call.json({ message: 'busy' }, { status: 503 }));
      before = upstream.requests.length;
      const targets = Object.keys(shapes).map((provider) => ({ provider: `@${provider}` }));
      await ask({
        path,
        body: { model: 'm', ...body },
        headers: { ...presented, ...config({ strategy: { mode: 'fallback' }, targets }) },
      });
      expectOperatorsAlone();
    },
  );

  it('is refused or dropped in a query, and appears in no log, trail, error or explanation', async () => {
    for (const [path, body] of routes)
      for (const provider of Object.keys(shapes))
        for (const query of [
          `?key=${clientKey}`,
          `?a=1&%6bey=${clientKey}`,
          `?api-key=${clientKey}&api_key=${clientKey}`,
        ]) {
          before = upstream.requests.length;
          const answer = await ask({
            path: path + query,
            body: { model: 'm', ...body },
            headers: config({ provider: `@${provider}` }),
          });
          expect(answer.text).not.toContain(clientKey);
          // A path that is passed through keeps its query, except for keys if its dialect has them there.
          const isPassed = path === '/v1/files' || path.endsWith('count-tokens');
          if (!isPassed && !query.includes('api')) expectOperatorsAlone();
        }
    expect(gateway.printed()).not.toContain(clientKey);
    expect(gateway.printed()).not.toContain(operatorKey);
  });
});

describe('a config from a caller', () => {
  it('cannot use the identity of the machine, with a saved provider at another host or on its own', async () => {
    const calls = attacker.requests.length;
    const configs = [
      { provider: '@machine', custom_host: attacker.origin },
      { provider: 'azure-openai', ...azure, clouda_auth_mode: 'managed', custom_host: attacker.origin },
      { provider: 'azure-openai', ...azure, clouda_auth_mode: 'workload' },
    ];
    for (const each of configs) {
      const answer = await ask({ body: { ...chat, model: 'm' }, headers: config(each) });
      expect([400, 401]).toContain(answer.status);
    }
    expect(attacker.requests.length).toBe(calls);
  });

  it.each(['x-gw-custom-host', 'custom_host'])(
    "cannot send an operator's cloud credential to another host: %s",
    async (how) => {
      const calls = attacker.requests.length;
      for (const provider of Object.keys(shapes)) {
        const headers =
          how === 'custom_host'
            ? config({ provider: `@${provider}`, custom_host: attacker.origin })
            : { ...config({ provider: `@${provider}` }), 'x-gw-custom-host': attacker.origin };
        const answer = await ask({ body: { ...chat, model: 'm' }, headers });
        expect(answer.status).toBe(400);
      }
      expect(attacker.requests.length).toBe(calls);
    },
  );

  const injected = [
    'evil.com/#',
    'a.evil.com#',
    'x@evil.com',
    'x@127.0.0.1:{port}',
    '127.0.0.1:{port}/#',
    '127.0.0.1:{port}?',
    '127.0.0.1:{port}\\',
    'a/../..',
    '..',
    'us-east-1.evil.com',
    'us-east-1\r\nx-injected: 1',
    'ＵＳ-east-1',
    'a'.repeat(300),
  ];
  const places: readonly [string, string, object][] = [
    ['bedrock', 'cloudc_region', { api_key: clientKey }],
    ['vertex-ai', 'cloudb_region', { api_key: clientKey, cloudb_project_id: 'p' }],
    ['azure-openai', 'resource_name', { api_key: clientKey, api_version: '2024-10-21', deployment_id: 'd' }],
    [
      'azure-ai',
      'clouda_region',
      { api_key: clientKey, clouda_deployment_type: 'serverless', clouda_deployment_name: 'd' },
    ],
    [
      'azure-ai',
      'clouda_deployment_name',
      { api_key: clientKey, clouda_deployment_type: 'serverless', clouda_region: 'r' },
    ],
    ['azure-ai', 'clouda_endpoint_name', { api_key: clientKey, clouda_deployment_type: 'managed', clouda_region: 'r' }],
    ['azure-ai', 'clouda_foundry_url', { api_key: clientKey }],
  ];

  const toHeaders = (settings: object): Record<string, string> =>
    Object.fromEntries(
      Object.entries(settings).flatMap(([name, value]) =>
        name === 'api_key'
          ? [['authorization', `Bearer ${value}`]]
          : [[`x-gw-${headerNames[name] ?? name.replaceAll('_', '-')}`, `${value}`]],
      ),
    );
  const headerNames: Readonly<Record<string, string>> = {
    resource_name: 'clouda-resource-name',
    deployment_id: 'clouda-deployment-id',
    api_version: 'clouda-api-version',
  };

  it.each(places)('cannot name another host in a setting: %s, %s', async (provider, setting, rest) => {
    const calls = attacker.accepted;
    for (const pattern of injected) {
      const value = pattern.replaceAll('{port}', String(attacker.port));
      const settings = { ...rest, [setting]: value };
      const asked: Asked[] = [{ body: { ...chat, model: 'm' }, headers: config({ provider, ...settings }) }];
      if (!/[\r\n]/.test(value))
        asked.push({ body: { ...chat, model: 'm' }, headers: { 'x-gw-provider': provider, ...toHeaders(settings) } });
      for (const each of asked) {
        const answer = await ask({ ...each, headers: { ...each.headers, 'x-gw-request-timeout': '1000' } });
        expect([provider, value, answer.status]).toEqual([provider, value, 400]);
        expect(answer.text).not.toContain(clientKey);
      }
    }
    expect(attacker.accepted).toBe(calls);
    expect(lookedUp().filter((name) => !/\.(?:amazonaws\.com|googleapis\.com|azure\.com)$/.test(name))).toEqual([]);
  });

  it('has its project inserted into the path as one segment', async () => {
    for (const project of ['../../x', 'a/b', 'a?b', 'a#b', '..', 'a\r\nb']) {
      before = upstream.requests.length;
      const settings = {
        provider: 'vertex-ai',
        api_key: 'mine',
        cloudb_region: 'europe-west4',
        cloudb_project_id: project,
      };
      const answer = await ask({
        body: { ...chat, model: 'gemini-2.5-pro' },
        headers: config({ ...settings, custom_host: upstream.origin }),
      });
      expect(answer.status).not.toBe(500);
      for (const { path } of received()) {
        expect(path).toMatch(/^\/v1\/projects\/[^/?#\s]+\/locations\/europe-west4\/publishers\//);
        expect(path.split('/')).not.toContain('..');
      }
    }
  });
});
