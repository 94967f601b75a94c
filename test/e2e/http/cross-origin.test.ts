import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { builtinPlugins } from '../../../plugins/builtin.ts';
import { declaredRows } from '../../../plugins/control/control-routes.ts';
import { controlSegments } from '../../../runtime/route-matching/control-segments.ts';
import { declaredRoutes, rootRoutes } from '../../../runtime/route-matching/declared-routes.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { adminKey, serveStore } from '../../support/gateways/stored-gateway.ts';
import { rawHttp } from '../../support/servers/raw-http.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer, openaiStream } from '../../support/vendors/openai-wire.ts';
import { hasBrowser, sharedBrowser } from '../console/support/browser.ts';

const site = 'https://app.example.com';
const key = 'a-service-key-of-forty-characters-for-gw';
const reply = { text: 'hello' };

let gateway: GatewayProcess;
let upstream: TestUpstream;

const startUp = (): Promise<TestUpstream> =>
  startUpstream((call) => {
    const headers = { 'Access-Control-Allow-Origin': '*', 'access-control-allow-credentials': 'true', vary: 'accept' };
    if (!call.request.text().includes('"stream":true')) return call.json(openaiAnswer(reply), { headers });
    const sse = call.sse({ headers });
    for (const frame of openaiStream(reply)) sse.send(frame);
    sse.end();
  });

const filesFor = (origin: string, members: object) => ({
  'gateway.json': { configs: 'configs', default_config: 'chat', ...members },
  'configs/chat.json': { provider: 'openai', api_key: '${env:KEY}', custom_host: `${origin}/v1` },
});

const keyed = { auth: { keys: [{ id: 'page', key: '${env:PAGE_KEY}' }] } };
const env = { KEY: 'the-gateways-key', PAGE_KEY: key };

const serve = async (members: object): Promise<GatewayProcess> => {
  const started = await startGateway({ files: filesFor(upstream.origin, members), env });
  onTestFinished(() => started.stop());
  return started;
};

beforeAll(async () => {
  upstream = await startUp();
  gateway = await startGateway({
    files: filesFor(upstream.origin, { ...keyed, cors: { origins: [site], max_age_s: 60 } }),
    env,
  });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

interface Answer {
  readonly status: number;
  /** The lines of CORS and `vary`, by name, sorted. */
  readonly lines: readonly string[];
}

const send = async (
  { origin }: Pick<GatewayProcess, 'origin'>,
  method: string,
  path: string,
  { lines = [], body }: { readonly lines?: readonly string[]; readonly body?: object } = {},
): Promise<Answer> => {
  const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const type = bytes === undefined ? [] : ['content-type: application/json'];
  const answer = await rawHttp(origin, {
    method,
    path,
    lines: [...lines, ...type],
    ...(bytes === undefined ? {} : { body: bytes }),
  });
  return {
    status: Number(answer.statusLine.split(' ')[1]),
    lines: answer.lines.filter((line) => /^(?:access-control-|vary:)/i.test(line)).toSorted(),
  };
};

const preflight = (
  to: Pick<GatewayProcess, 'origin'>,
  path: string,
  { origin = site, method = 'POST' }: { readonly origin?: string; readonly method?: string } = {},
): Promise<Answer> =>
  send(to, 'OPTIONS', path, {
    lines: [
      `Origin: ${origin}`,
      `Access-Control-Request-Method: ${method}`,
      'Access-Control-Request-Headers: authorization,content-type,x-gw-config',
    ],
  });

const allowedPreflight = (method: string): Answer => ({
  status: 204,
  lines: [
    'access-control-allow-headers: authorization,content-type,x-gw-config',
    `access-control-allow-methods: ${method}`,
    `access-control-allow-origin: ${site}`,
    'access-control-max-age: 60',
    'vary: origin, access-control-request-method, access-control-request-headers',
  ],
});

const readable = [`access-control-allow-origin: ${site}`, 'access-control-expose-headers: *'];

const chat = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] };
const from = (origin: string, ...more: readonly string[]) => ({ lines: [`Origin: ${origin}`, ...more] });
const withKey = `x-gw-api-key: ${key}`;

describe('a preflight from a listed origin', () => {
  const concrete = (path: string): string => path.replaceAll(/\{[^}]*\}/g, 'm');
  const below = declaredRoutes(builtinPlugins).map(({ method = 'POST', path }) => [method, `/v1${concrete(path)}`]);
  const rooted = rootRoutes(builtinPlugins).map(({ method = 'POST', path }) => [method, concrete(path)]);

  it('is answered for each path of a client, without a key and without a call', async () => {
    const calls = upstream.requests.length;
    const paths = [...below, ...rooted, ['DELETE', '/v1/unknown/thing']] as [string, string][];
    expect(paths.length).toBeGreaterThan(30);
    for (const [method, path] of paths)
      expect(await preflight(gateway, path, { method }), `${method} ${path}`).toEqual(allowedPreflight(method));
    expect(upstream.requests.length).toBe(calls);
  });

  it.each(['https://app.example.com.evil.example', 'http://app.example.com', 'https://APP.example.com', 'null'])(
    'is not answered for another origin: %s',
    async (origin) => {
      const { status, lines } = await preflight(gateway, '/v1/chat/completions', { origin });
      expect([status, lines]).toEqual([401, []]);
    },
  );
});

describe('an answer to a page of a listed origin', () => {
  it.each<[string, string, object]>([
    ['a whole answer', '/v1/chat/completions', chat],
    ['a stream', '/v1/chat/completions', { ...chat, stream: true }],
    ['another format', '/v1/messages', { ...chat, max_tokens: 9 }],
    ['a passed-through answer', '/v1/something/new', chat],
  ])('can be read, and has nothing that its provider allows: %s', async (_, path, body) => {
    const answer = await send(gateway, 'POST', path, { ...from(site, withKey), body });
    expect(answer.status).toBe(200);
    expect(answer.lines.filter((line) => line !== 'vary: accept')).toEqual([...readable, 'vary: origin']);
  });

  it('can be read if the gateway refuses the request', async () => {
    const lines = [`Origin: ${site}`, withKey, 'x-gw-config: {'];
    const answer = await send(gateway, 'POST', '/v1/chat/completions', { lines, body: chat });
    expect(answer).toEqual({ status: 400, lines: [...readable, 'vary: origin'] });
  });

  it('can be read if its key is refused', async () => {
    const answer = await send(gateway, 'POST', '/v1/chat/completions', { ...from(site), body: chat });
    expect(answer).toEqual({ status: 401, lines: [...readable, 'vary: origin'] });
  });

  it('cannot be read by a page of another origin, whatever its provider allows', async () => {
    for (const path of ['/v1/chat/completions', '/v1/something/new']) {
      const answer = await send(gateway, 'POST', path, { ...from('https://other.example', withKey), body: chat });
      expect(answer).toEqual({ status: 200, lines: ['vary: accept'] });
    }
  });

  it('has no such lines for a program', async () => {
    const answer = await send(gateway, 'POST', '/v1/chat/completions', { lines: [withKey], body: chat });
    expect(
      answer.lines.filter((line) => !/^(?:access-control-allow-(?:origin|credentials)|vary: accept)/i.test(line)),
    ).toEqual([]);
  });
});

describe("the gateway's own pages, and the control plane", () => {
  it('allow nothing to other origins', async () => {
    const stored = await serveStore(undefined, {
      files: { 'gateway.json': { store: { url: 'gateway.db' }, cors: { origins: [site, '*'] } } },
    });
    const own = declaredRows().filter(({ shared = false }) => !shared);
    const rows = own.map(({ method, path }) => [method, path.replaceAll(/\{[^}]*\}/g, 'x')] as const);
    const paths = [
      ...rows.map(([method, path]) => [method, `/v1${path}`] as const),
      ...controlSegments.map((segment) => ['GET', `/v1/${segment}`] as const),
      ...['/livez', '/readyz', '/metrics', '/console', '/console/session', '/'].map((path) => ['GET', path] as const),
    ];
    expect(rows.length).toBeGreaterThan(50);
    for (const [method, path] of paths)
      expect((await preflight(stored, path, { method })).lines, `${method} ${path}`).toEqual([]);
    const lines = [`Origin: ${site}`, `x-gw-api-key: ${adminKey}`];
    for (const path of ['/v1/workspaces', '/v1/configs', '/livez'])
      expect((await send(stored, 'GET', path, { lines })).lines, path).toEqual([]);
  });

  it("allow the paths of vendors' APIs that a store serves", async () => {
    const stored = await serveStore(undefined, {
      files: { 'gateway.json': { store: { url: 'gateway.db' }, cors: { origins: [site], max_age_s: 60 } } },
    });
    const shared = declaredRows().filter((row) => row.shared === true);
    expect(shared.length).toBeGreaterThan(5);
    for (const { method, path } of shared)
      expect(await preflight(stored, `/v1${path.replaceAll(/\{[^}]*\}/g, 'x')}`, { method }), path).toEqual(
        allowedPreflight(method),
      );
    const answer = await send(stored, 'GET', '/v1/responses/r-1', from(site, `x-gw-api-key: ${adminKey}`));
    expect(answer).toEqual({ status: 404, lines: [...readable, 'vary: origin'] });
    const other = await send(
      stored,
      'GET',
      '/v1/responses/r-1',
      from('https://x.example', `x-gw-api-key: ${adminKey}`),
    );
    expect(other).toEqual({ status: 403, lines: [] });
  });
});

describe('a gateway without keys', () => {
  it('answers pages that are listed by name, and no others, even if all are allowed', async () => {
    const open = await serve({ cors: { origins: [site, '*'] } });
    const ask = (origin: string) => send(open, 'POST', '/v1/chat/completions', { ...from(origin), body: chat });
    expect((await ask(site)).status).toBe(200);
    expect((await ask('https://other.example')).status).toBe(403);
    expect((await ask('http://localhost:5173')).status).toBe(200);
  });

  it('allows nothing if the gateway file lists no origins', async () => {
    const plain = await serve({});
    expect(await preflight(plain, '/v1/chat/completions')).toMatchObject({ status: 403, lines: [] });
  });
});

describe.skipIf(!hasBrowser)('a page in a browser', () => {
  const openPage = async () => {
    const server = createServer((_, answer) => {
      answer.setHeader('content-type', 'text/html');
      answer.end('<!doctype html><title>App</title>');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const context = await (await sharedBrowser()).newContext();
    onTestFinished(() => context.close());
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const page = await context.newPage();
    await page.goto(origin);
    return { page, origin };
  };

  const script = (url: string): string => `fetch(${JSON.stringify(url)}, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-api-key': ${JSON.stringify(key)} },
    body: ${JSON.stringify(JSON.stringify({ ...chat, stream: true }))},
  }).then(async (answer) => [answer.status, (await answer.text()).includes('hello'), answer.headers.has('x-gw-trace-id')],
    (error) => String(error))`;

  it('reads a stream and its headers if it is listed, and otherwise nothing', async () => {
    const { page, origin } = await openPage();
    const listed = await serve({ ...keyed, cors: { origins: [origin] } });
    expect(await page.evaluate(script(`${listed.baseUrl}/chat/completions`))).toEqual([200, true, true]);
    expect(await page.evaluate(script(`${gateway.baseUrl}/chat/completions`))).toBe('TypeError: Failed to fetch');
  });
});
