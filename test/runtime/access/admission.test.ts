import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import { serviceKeys } from '../../../runtime/access/service-keys.ts';
import { rawClient } from '../server/support/raw-client.ts';
import { answer, startServer } from '../server/support/start-server.ts';

const keys = serviceKeys([
  { id: 'a', key: 'key-of-a', tenant: 'team' },
  { id: 'b', key: 'key-of-b' },
]);

/** Returns what the plan knows about its caller. */
const summarise = ({ principal, overrides, request }: Exchange): string =>
  JSON.stringify({
    ...principal,
    credential: overrides.credential ?? null,
    headers: request.headers.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase()),
  });

const ask = async (origin: string, headers: Record<string, string>): Promise<{ status: number; body: unknown }> => {
  const response = await fetch(`${origin}/v1/models`, { headers: { 'x-gw-provider': 'p', ...headers } });
  return { status: response.status, body: await response.json() };
};

describe('service keys', () => {
  const start = () =>
    startServer({ execute: (exchange) => answer(summarise(exchange)), identities: { identify: keys } });

  it('identify the caller, and the tenant whose state its requests use', async () => {
    await using server = await start();
    const a = await ask(server.origin, { 'X-Gw-Api-Key': 'key-of-a', authorization: 'Bearer provider-token' });
    expect(a).toMatchObject({ status: 200, body: { keyId: 'a', tenant: 'team', credential: 'provider-token' } });
    expect(await ask(server.origin, { 'x-gw-api-key': 'key-of-b' })).toMatchObject({
      body: { keyId: 'b', tenant: 'b', credential: null },
    });
  });

  it('may be sent as the bearer token or as x-api-key, and are not forwarded', async () => {
    await using server = await start();
    const headers: Record<string, string>[] = [{ Authorization: 'Bearer key-of-a' }, { 'X-Api-Key': 'key-of-a' }];
    for (const sent of headers) {
      const { status, body } = await ask(server.origin, sent);
      expect(status).toBe(200);
      expect(body).toMatchObject({ keyId: 'a', credential: null });
      for (const name of Object.keys(sent)) expect(JSON.stringify(body)).not.toContain(`"${name.toLowerCase()}"`);
    }
  });

  it.each([
    [{}, 'missing-service-key', 'in the header x-gw-api-key.'],
    [{ 'x-portkey-api-key': 'key-of-a' }, 'missing-service-key', 'start it with gw serve --accept portkey'],
    [{ 'X-Portkey-Provider': 'openai' }, 'missing-service-key', 'does not read x-portkey- headers'],
    [{ 'x-gw-api-key': 'key-of-' }, 'wrong-service-key', 'in the header x-gw-api-key.'],
    [{ 'x-gw-api-key': 'wrong', authorization: 'Bearer key-of-a' }, 'wrong-service-key', 'in the header x-gw-api-key.'],
    [{ authorization: 'Bearer sk-provider' }, 'wrong-service-key', 'as the bearer token of the header authorization.'],
  ])('reject %j', async (headers, code, place) => {
    await using server = await start();
    expect(await ask(server.origin, headers)).toMatchObject({
      status: 401,
      body: {
        error: { code, type: 'authentication_error', message: expect.stringContaining(place) },
      },
    });
  });

  it.each([{}, { 'x-gw-api-key': 'wrong' }])('instruct clients not to retry after %j', async (headers) => {
    await using server = await start();
    // Otherwise Claude Code retries for minutes before it shows the error.
    const { status, headers: answered } = await fetch(`${server.origin}/v1/models`, { headers });
    expect([status, answered.get('x-should-retry')]).toEqual([401, 'false']);
  });

  it('are checked before a body is read and before a config is parsed', async () => {
    await using server = await start();
    using client = await rawClient(server.port);
    client.send(
      'POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nx-gw-config: {\r\nexpect: 100-continue\r\ncontent-length: 9\r\n\r\n',
    );
    expect(await client.ended).toMatch(/^HTTP\/1.1 401 /);
  });
});

describe('a gateway without service keys', () => {
  it.each([
    ['host', 'evil.example'],
    ['host', '127.0.0.1.evil.example'],
    ['host', '192.168.1.10:8787'],
    ['origin', 'https://evil.example'],
    ['origin', 'null'],
  ])('rejects a foreign %s: %s', async (name, value) => {
    await using server = await startServer({ execute: () => answer('{}') });
    for (const path of ['/v1/models', '/readyz', '/']) {
      using client = await rawClient(server.port);
      const host = name === 'host' ? '' : 'host: localhost\r\n';
      client.send(`GET ${path} HTTP/1.1\r\n${host}${name}: ${value}\r\nconnection: close\r\n\r\n`);
      const all = await client.ended;
      expect(all).toMatch(/^HTTP\/1.1 403 /);
      expect(all).toContain('foreign-origin');
    }
  });

  it.each(['localhost:8787', '127.0.0.1', '127.8.9.10:1', '[::1]:8787', 'LOCALHOST', 'gw.localhost:1'])(
    'answers requests to %s',
    async (host) => {
      await using server = await startServer({ execute: () => answer('{}') });
      using client = await rawClient(server.port);
      client.send(
        `GET /readyz HTTP/1.1\r\nhost: ${host}\r\norigin: http://localhost:3000\r\nconnection: close\r\n\r\n`,
      );
      expect(await client.ended).toMatch(/^HTTP\/1.1 200 /);
    },
  );

  it('answers everyone if it is open', async () => {
    await using server = await startServer({ execute: () => answer('{}'), admission: { open: true } });
    using client = await rawClient(server.port);
    client.send('GET /v1/x HTTP/1.1\r\nhost: gw.example\r\nx-gw-provider: p\r\nconnection: close\r\n\r\n');
    expect(await client.ended).toMatch(/^HTTP\/1.1 200 /);
  });

  it('names a header that it cannot parse', async () => {
    await using server = await startServer({ execute: () => answer('{}') });
    const { status, body } = await ask(server.origin, { 'x-gw-request-timeout': 'soon' });
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain('x-gw-request-timeout');
  });
});
