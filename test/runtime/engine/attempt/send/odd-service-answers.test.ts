import { gzipSync } from 'node:zlib';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compile } from '../../../../../compiler/compile.ts';
import { createGateway, type Gateway } from '../../../../../index.ts';
import { builtinPlugins } from '../../../../../plugins/builtin.ts';
import { formRequest, requestToken } from '../../../../../plugins/providers/auth/request-token.ts';
import { buildCatalogue } from '../../../../../plugins/sdk/plugin/catalogue.ts';
import { definePlugin } from '../../../../../plugins/sdk/plugin/plugin.ts';
import { defineProvider } from '../../../../../plugins/sdk/provider/provider.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { startUpstream, type TestUpstream, type UpstreamCall } from '../../../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../../../support/vendors/openai-wire.ts';

const secret = 'the-secret-that-nobody-sees';
const token = 'the-token-that-nobody-sees';

const mark = Buffer.from([0xef, 0xbb, 0xbf]);
const jsonType = { 'content-type': 'application/json' };
const gzipped = { ...jsonType, 'content-encoding': 'gzip' };

/** How a service answers, with the JSON that it should answer with. */
type Answer = (call: UpstreamCall, good: string) => void;

const readable: { readonly [what: string]: Answer } = {
  'is plain': (call, good) => call.answer({ headers: jsonType, body: good }),
  'is compressed': (call, good) => call.answer({ headers: gzipped, body: gzipSync(good) }),
  'begins with a byte order mark': (call, good) =>
    call.answer({ headers: jsonType, body: Buffer.concat([mark, Buffer.from(good)]) }),
  'is compressed and begins with a byte order mark': (call, good) =>
    call.answer({ headers: gzipped, body: gzipSync(Buffer.concat([mark, Buffer.from(good)])) }),
  'has no type': (call, good) => call.answer({ body: good }),
};

interface Unreadable {
  readonly answer: Answer;
  /** The status that a client gets if the service was to authorise a request, and what the error says. */
  readonly status: number;
  readonly says: string;
  /** The same of a check. */
  readonly checkSays: string;
}

const large = JSON.stringify({ page: 'x'.repeat(1024 * 1024) });
const tooLarge = { status: 502, says: 'is larger than 262144 bytes.', checkSays: 'is larger than 1048576 bytes.' };
const html = '<!doctype html><title>Sign in</title>';
const noToken = { status: 401, says: 'contains no token.', checkSays: 'did not answer with a JSON object.' };

const unreadable: { readonly [what: string]: Unreadable } = {
  'is too large': { answer: (call) => call.answer({ headers: jsonType, body: large }), ...tooLarge },
  'is too large once it is decoded': {
    answer: (call) => call.answer({ headers: gzipped, body: gzipSync(large) }),
    ...tooLarge,
  },
  'is a page': { answer: (call) => call.answer({ headers: { 'content-type': 'text/html' }, body: html }), ...noToken },
  'is a page that is called JSON': { answer: (call) => call.answer({ headers: jsonType, body: html }), ...noToken },
  'is empty': { answer: (call) => call.answer({ headers: jsonType }), ...noToken },
  'has an unknown encoding': {
    answer: (call, good) =>
      call.answer({ headers: { 'content-encoding': 'nonsense' }, body: Buffer.from(good).reverse() }),
    ...noToken,
  },
  'is not compressed, although it says so': {
    answer: (call, good) => call.answer({ headers: gzipped, body: good }),
    ...{
      status: 502,
      says: 'does not follow its documented format',
      checkSays: 'does not follow its documented format',
    },
  },
  'redirects the gateway': {
    answer: (call) => call.answer({ status: 302, headers: { location: '/elsewhere' } }),
    ...{ status: 401, says: 'answered 302.', checkSays: 'answered with status 302.' },
  },
  'breaks off': {
    answer: (call, good) => call.answer({ headers: jsonType, body: good, cutAfter: 90 }),
    ...{ status: 502, says: '127.0.0.1', checkSays: '127.0.0.1' },
  },
  'stalls in the middle': {
    answer: (call, good) => {
      call.raw(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${good.length}\r\n\r\n`);
      call.raw(good.slice(0, 10));
    },
    ...{ status: 408, says: '400', checkSays: 'did not answer within 400 ms' },
  },
};

let service: TestUpstream;
let gateway: Gateway;
let origin: string;
let good: string;
let callersToken: string;
let answerService: Answer = () => undefined;

beforeAll(async () => {
  service = await startUpstream((call) => {
    if (call.request.path === '/v1/chat/completions') call.json(openaiAnswer({ text: 'Hello.' }));
    else answerService(call, good);
  });
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  good = JSON.stringify({
    ...{ access_token: token, expires_in: 0 },
    keys: [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'ES256' }],
  });
  callersToken = await new SignJWT({ sub: 'ann' })
    .setProtectedHeader({ alg: 'ES256', kid: 'k' })
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(privateKey);
  const plugin = definePlugin({
    name: 'authorised',
    providers: [
      defineProvider({
        id: 'authorised',
        documentation: 'here',
        baseUrl: `${service.origin}/v1`,
        credential: 'required',
        speaks: { chat: '/chat/completions' },
        headers: () => [],
        authorize: async (request, context) => {
          const form = { grant_type: 'client_credentials', client_secret: context.credential.api_key ?? '' };
          const { value } = await requestToken(context, formRequest(`${service.origin}/token`, form));
          return { ...request, headers: [...request.headers, 'authorization', `Bearer ${value}`] };
        },
      }),
    ],
  });
  const judgedWith = (path: string): JsonObject => ({
    input_guardrails: [
      {
        jwt: {
          algorithms: ['ES256'],
          jwksUri: `${service.origin}${path}`,
          headerKey: 'x-token',
          failOnError: true,
          timeout: 400,
        },
        deny: true,
      },
    ],
    ...{ provider: 'openai', api_key: '${env:KEY}', custom_host: `${service.origin}/v1` },
  });
  const names = [...Object.keys(readable), ...Object.keys(unreadable)];
  const config: JsonObject = {
    strategy: {
      mode: 'conditional',
      conditions: names.map((name) => ({ query: { 'metadata.keys': name }, then: name })),
      default: 'authorised',
    },
    targets: [
      { name: 'authorised', provider: 'authorised', api_key: '${env:KEY}', request_timeout: 400 },
      // Each case has keys of its own, because they are cached.
      ...names.map((name, at) => ({ name, ...judgedWith(`/jwks/${at}`) })),
    ],
  };
  const catalogue = buildCatalogue([...builtinPlugins, plugin]);
  const { plan, diagnostics } = compile(JSON.stringify(config), { trust: 'operator', catalogue });
  if (plan === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  gateway = createGateway({ plan, plugins: [plugin], secrets: { KEY: secret }, trustedHosts: ['127.0.0.1'] });
  origin = `http://127.0.0.1:${(await gateway.listen()).port}`;
});
afterAll(async () => {
  await gateway.close({ drainMs: 0 });
  await service.close();
});

interface Received {
  readonly status: number;
  readonly text: string;
  /** The paths that the gateway requested. */
  readonly paths: readonly string[];
}

const ask = async (answer: Answer, headers: Readonly<Record<string, string>> = {}): Promise<Received> => {
  answerService = answer;
  const before = service.requests.length;
  const response = await fetch(`${origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] }),
  });
  const text = await response.text();
  for (const each of [secret, token, callersToken]) expect(text).not.toContain(each);
  return { status: response.status, text, paths: service.requests.slice(before).map(({ path }) => path) };
};

describe('a request for which a token is needed, whose answer', () => {
  it.each(Object.entries(readable))('%s, is sent with the token', async (_, answer) => {
    expect(await ask(answer)).toMatchObject({ status: 200, paths: ['/token', '/v1/chat/completions'] });
    expect(service.requests.at(-1)?.header('authorization')).toBe(`Bearer ${token}`);
  });

  it.each(Object.entries(unreadable))('%s, ends with one error', async (_, { answer, status, says }) => {
    const received = await ask(answer);
    expect(received).toMatchObject({ status, paths: ['/token'] });
    expect((JSON.parse(received.text) as { error: JsonObject }).error.message).toContain(says);
  });
});

describe('a check of a token with the keys of an issuer, whose answer', () => {
  const judged = (name: string): Record<string, string> => ({
    'x-gw-metadata': JSON.stringify({ keys: name }),
    'x-token': `Bearer ${callersToken}`,
  });

  it.each(Object.entries(readable))('%s, passes', async (name, answer) => {
    expect(await ask(answer, judged(name))).toMatchObject({ status: 200 });
  });

  it.each(Object.entries(unreadable))('%s, fails with one error', async (name, { answer, checkSays }) => {
    const { status, text, paths } = await ask(answer, judged(name));
    expect([status, paths.length]).toEqual([446, 1]);
    expect(text.match(/"error":\{"name":"[^"]*","message":"([^"]*)"/)?.[1]).toContain(checkSays);
  });
});
