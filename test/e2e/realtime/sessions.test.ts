import { once } from 'node:events';
import OpenAI from 'openai';
import { OpenAIRealtimeWS } from 'openai/realtime/ws';
import { describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { sharedByTests } from '../../support/run/shared-by-tests.ts';
import { hasOpenssl } from '../../support/servers/certificates.ts';
import { startTlsGateway } from '../tls/support/tls-gateway.ts';
import { type RealtimeProvider, startRealtimeProvider } from './support/realtime-provider.ts';
import { openSession, refusalOf, type SessionTarget } from './support/session-client.ts';

const key = 'a-service-key-of-this-test-with-40-letters';

const shared = sharedByTests<{ gateway: GatewayProcess; provider: RealtimeProvider }>(
  'gateway',
  async (whenFinished) => {
    const provider = await startRealtimeProvider();
    whenFinished(() => provider.close());
    const gateway = await startGateway({
      files: { 'gateway.json': { auth: { keys: [{ id: 'team', key: '${env:KEY}' }] } } },
      args: ['--config', 'gateway.json'],
      env: { KEY: key },
    });
    whenFinished(() => gateway.stop());
    return { gateway, provider };
  },
);

const target = (members: object = {}): object => ({
  ...{ provider: 'openai', api_key: 'sk-of-the-provider', custom_host: `${shared().provider.origin}/v1` },
  ...members,
});

const toHeaders = (config: object): Readonly<Record<string, string>> => ({
  'x-gw-api-key': key,
  'x-gw-config': JSON.stringify(config),
});

const at = (config: object = target(), more: Partial<SessionTarget> = {}): SessionTarget => ({
  ...{ origin: shared().gateway.origin, headers: toHeaders(config) },
  ...more,
});

const lastSession = () => shared().provider.sessions.at(-1);

describe('a session over WebSocket', () => {
  it('has the credential of the target, and no header of the gateway', async () => {
    const client = await openSession(at());
    const { headers } = lastSession() ?? {};
    expect(headers).toMatchObject({ authorization: 'Bearer sk-of-the-provider', upgrade: 'websocket' });
    expect(Object.keys(headers ?? {}).filter((name) => name.startsWith('x-gw-'))).toEqual([]);
    expect(JSON.stringify(headers)).not.toContain(key);
    client.socket.close();
    await client.closed;
  });

  it('passes texts, bytes and pings unchanged in both directions', async () => {
    const client = await openSession(at());
    const large = Buffer.alloc(300_000, 7);
    const echoed = new Promise<Buffer>((resolve) =>
      client.socket.on('message', (data: Buffer, isBinary) => isBinary && resolve(data)),
    );
    client.socket.send(large);
    expect((await echoed).equals(large)).toBe(true);
    const pinged = once(lastSession()?.socket ?? client.socket, 'ping');
    client.socket.ping('are you there?');
    expect(String((await pinged)[0])).toBe('are you there?');
    client.socket.send('{"type":', { fin: false });
    client.socket.send('"response.create"}', { fin: true });
    await client.next('response.done');
    client.socket.close();
    await client.closed;
  });

  it('is not compressed, whatever the client offers', async () => {
    const client = await openSession(at(target(), { options: { perMessageDeflate: true } }));
    expect(lastSession()?.headers['sec-websocket-extensions']).toBeUndefined();
    expect(client.socket.extensions).toBe('');
    client.socket.close();
    await client.closed;
  });

  it("ends with the provider's code and reason", async () => {
    const client = await openSession(at());
    client.send({ type: 'test.close' });
    expect(await client.closed).toEqual({ code: 4001, reason: 'the test is over' });
  });

  it("ends at the provider with the client's code and reason", async () => {
    const client = await openSession(at());
    const ended = once(lastSession()?.socket ?? client.socket, 'close');
    client.socket.close(4002, 'bye');
    const [code, reason] = await ended;
    expect([code, String(reason)]).toEqual([4002, 'bye']);
    expect((await client.closed).code).toBe(4002);
  });

  it('ends at the provider if the client disconnects', async () => {
    const client = await openSession(at());
    const ended = once(lastSession()?.socket ?? client.socket, 'close');
    client.socket.terminate();
    expect((await ended)[0]).toBe(1006);
  });

  it('reports that the provider has disconnected', async () => {
    const client = await openSession(at());
    client.send({ type: 'test.drop' });
    expect(await client.next('error')).toMatchObject({ error: { code: 'connection-lost', type: 'network_error' } });
    expect(await client.closed).toEqual({ code: 1011, reason: 'connection-lost' });
  });

  it('calls the model of the config', async () => {
    const client = await openSession(
      at(target({ override_params: { model: 'other' } }), { path: '/v1/realtime?model=mine&intent=x' }),
    );
    expect(lastSession()?.url).toBe('/v1/realtime?model=other&intent=x');
    client.socket.close();
    await client.closed;
  });

  it.each(['/openai/v1/realtime?model=m', '/v1/proxy/realtime?model=m', '/v1//realtime?model=m'])(
    'is opened at every spelling of the path: %s',
    async (path) => {
      const client = await openSession(at(target(), { path }));
      expect(lastSession()?.url).toBe('/v1/realtime?model=m');
      client.socket.close();
      await client.closed;
    },
  );

  it('accepts the key of a browser, which sends it as a subprotocol', async () => {
    const { gateway, provider } = shared();
    const client = await openSession({
      origin: gateway.origin,
      headers: { 'x-gw-config': JSON.stringify(target()) },
      protocols: ['realtime', `openai-insecure-api-key.${key}`],
    });
    expect(client.socket.protocol).toBe('realtime');
    expect(provider.sessions.at(-1)?.headers['sec-websocket-protocol']).toBe('realtime');
    expect(JSON.stringify(provider.sessions.at(-1)?.headers)).not.toContain(key);
    client.socket.close();
    await client.closed;
  });
});

describe.skipIf(!hasOpenssl)('a session over TLS', () => {
  it("works with OpenAI's client, which accepts nothing else", async () => {
    const { gateway, authority } = await startTlsGateway({
      settings: { auth: { keys: [{ id: 'team', key: '${env:KEY}' }] } },
      env: { KEY: key },
    });
    const client = new OpenAI({ apiKey: key, baseURL: gateway.baseUrl });
    const options = { ca: authority.pem, headers: { 'x-gw-config': JSON.stringify(target()) } };
    const session = new OpenAIRealtimeWS({ model: 'gpt-realtime', options }, client);
    await once(session.socket, 'open');
    const done = new Promise<object>((resolve) => void session.on('response.done', resolve));
    session.send({ type: 'response.create', response: { metadata: { input: '3', output: '4' } } });
    expect(await done).toMatchObject({ response: { usage: { input_tokens: 3, output_tokens: 4 } } });
    session.close();
    await once(session.socket, 'close');
    expect(lastSession()?.url).toBe('/v1/realtime?model=gpt-realtime');
  });
});

describe('a handshake', () => {
  it('is sent to the next target of a fallback if a provider refuses it', async () => {
    const { provider } = shared();
    provider.refuseNext(503);
    const client = await openSession(
      at({ strategy: { mode: 'fallback' }, targets: [target(), target({ override_params: { model: 'second' } })] }),
    );
    expect(lastSession()?.url).toBe('/v1/realtime?model=second');
    client.socket.close();
    await client.closed;
  });

  it('is retried', async () => {
    const { provider } = shared();
    const before = provider.refused;
    provider.refuseNext(503);
    const client = await openSession(at(target({ retry: { attempts: 1 } })));
    expect(provider.refused - before).toBe(1);
    client.socket.close();
    await client.closed;
  });

  it("gets the provider's answer if no session is opened", async () => {
    shared().provider.refuseNext(401);
    const { status, body } = await refusalOf(at());
    expect([status, JSON.parse(body).error.message]).toEqual([401, 'It refuses with 401.']);
  });

  it('is refused without a service key', async () => {
    const { status } = await refusalOf(at(target(), { headers: { 'x-gw-config': JSON.stringify(target()) } }));
    expect(status).toBe(401);
  });

  it('is refused if the provider has no sessions', async () => {
    const { status, body } = await refusalOf(at({ provider: 'anthropic', api_key: 'sk' }));
    expect([status, JSON.parse(body).error.code]).toEqual([501, 'operation-not-supported']);
  });

  it('is refused if a check may deny, because checks do not read sessions', async () => {
    const config = target({
      input_guardrails: [{ 'default.contains': { words: ['x'], operator: 'none' }, deny: true }],
    });
    const { status, body } = await refusalOf(at(config));
    expect([status, JSON.parse(body).error.code]).toEqual([403, 'unjudged-request']);
  });
});

it('a request without a handshake is passed through', async () => {
  const { gateway } = shared();
  const answer = await fetch(`${gateway.baseUrl}/realtime`, { headers: toHeaders(target()) });
  expect(answer.status).toBe(404);
});
