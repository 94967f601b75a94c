import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../../plugins/sdk/exchange/exchange.ts';
import { requestPlan } from '../../../../runtime/tenant-plans/request-plan.ts';
import type { RoutingPlan } from '../../../../schema/plan/plan.ts';
import { rawClient } from '../../server/support/raw-client.ts';
import { answer, startServer } from '../../server/support/start-server.ts';

const head = (lines: string): string =>
  `POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\nx-gw-provider: p\r\n${lines}\r\n\r\n`;

const text = async (exchange: Exchange): Promise<string> => {
  const { body } = exchange.request;
  if (body.kind === 'none') return 'none';
  if (body.kind === 'bytes') return `bytes ${body.bytes}`;
  if (body.kind === 'form') return 'form';
  const chunks: Uint8Array[] = [];
  for await (const chunk of body.stream) chunks.push(chunk);
  return `stream ${Buffer.concat(chunks)}`;
};

describe('request bodies', () => {
  it('are read whole for a modelled operation, streamed for a pass-through, or absent', async () => {
    await using server = await startServer({ execute: async (exchange) => answer(await text(exchange)) });
    const ask = async (path: string, init: RequestInit): Promise<string> =>
      (await fetch(`${server.origin}/v1${path}`, { ...init, headers: { 'x-gw-provider': 'p' } })).text();
    expect(await ask('/chat/completions', { method: 'POST', body: '{}' })).toBe('bytes {}');
    expect(await ask('/files', { method: 'PUT', body: 'abc' })).toBe('stream abc');
    expect(await ask('/files/1', { method: 'DELETE', body: 'why' })).toBe('stream why');
    expect(await ask('/models', { method: 'GET' })).toBe('none');
    expect(await ask('/batches/1/cancel', { method: 'POST', body: '' })).toBe('bytes ');
  });

  it('are parsed once, and only if something reads them', async () => {
    await using server = await startServer({
      execute: (exchange) => {
        const first = exchange.json();
        return answer(JSON.stringify([first === exchange.json(), exchange.facts.params]));
      },
    });
    const ask = async (body: string): Promise<unknown> =>
      (
        await fetch(`${server.origin}/v1/embeddings`, { method: 'POST', headers: { 'x-gw-provider': 'p' }, body })
      ).json();
    expect(await ask('{"model":"m"}')).toEqual([true, { model: 'm' }]);
    for (const [body, reason] of [
      ['{"model":', 'unexpected end of JSON input.'],
      ['my secret', "unexpected token 'm'."],
      ['[1]', 'it is not an object.'],
      ['', 'it is empty.'],
    ] as const)
      expect(await ask(body)).toMatchObject({
        error: {
          code: 'malformed-body',
          message: `The body is not valid JSON: ${reason} Send one JSON object with content-type application/json.`,
        },
      });
  });

  it('are forwarded unread if nothing reads them, even if they are not JSON', async () => {
    await using server = await startServer({ execute: async (exchange) => answer(await text(exchange)) });
    const response = await fetch(`${server.origin}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'x-gw-provider': 'p' },
      body: 'not json',
    });
    expect(await response.text()).toBe('bytes not json');
  });

  it('of pass-through requests are read whole if the plan has conditions on them', async () => {
    await using server = await startServer({
      execute: async (exchange) => answer(`${await text(exchange)} ${exchange.facts.params.model}`),
      compile: () => ({
        plan: { ...requestPlan, readsParams: true } satisfies RoutingPlan,
        secrets: [],
        diagnostics: [],
      }),
    });
    const ask = async (type: string): Promise<string> =>
      (
        await fetch(`${server.origin}/v1/assistants`, {
          method: 'POST',
          headers: { 'x-gw-config': '{}', 'x-gw-provider': 'echo', 'content-type': type },
          body: '{"model":"m"}',
        })
      ).text();
    expect(await ask('application/json')).toBe('bytes {"model":"m"} m');
    expect(await ask('application/octet-stream')).toBe('stream {"model":"m"} undefined');
  });

  it('above the limit are rejected before they are read if their length is known', async () => {
    await using server = await startServer({ execute: () => answer('{}'), limits: { bodyBytes: 10 } });
    using client = await rawClient(server.port);
    client.send(head('content-length: 11'));
    expect(await client.until('body-too-large')).toContain('HTTP/1.1 413');
  });

  it('above the limit are rejected while they arrive if their length is not known', async () => {
    await using server = await startServer({ execute: () => answer('{}'), limits: { bodyBytes: 10 } });
    using client = await rawClient(server.port);
    client.send(`${head('transfer-encoding: chunked')}6\r\n123456\r\n6\r\n123456\r\n`);
    expect(await client.until('body-too-large')).toContain('HTTP/1.1 413');
    client.send('0\r\n\r\nGET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n');
    expect(await client.until('alive')).toContain('alive');
    expect(server.memoryBudget.held).toBe(0);
  });

  it('that do not fit in memory with the others are rejected for a while', async () => {
    let letGo = (): void => {};
    let arrived = (): void => {};
    const here = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const waiting = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await using server = await startServer({
      limits: { bodiesBytes: 10 },
      execute: async () => {
        arrived();
        await waiting;
        return answer('{}');
      },
    });
    using first = await rawClient(server.port);
    using second = await rawClient(server.port);
    first.send(`${head('content-length: 6\r\nconnection: close')}123456`);
    await here;
    expect(server.memoryBudget.held).toBe(6);
    second.send(`${head('content-length: 6')}123456`);
    const refusal = await second.until('"overloaded"');
    expect(refusal).toContain('HTTP/1.1 503');
    expect(refusal).toMatch(/retry-after: \d/);
    letGo();
    await first.ended;
    second.send(`${head('content-length: 6\r\nconnection: close')}123456`);
    expect(await second.ended).toContain('HTTP/1.1 200');
    expect(server.memoryBudget.held).toBe(0);
  });

  it('of clients that disconnect early free their memory and reach no plan', async () => {
    let executed = 0;
    await using server = await startServer({
      execute: () => {
        executed += 1;
        return answer('{}');
      },
    });
    using client = await rawClient(server.port);
    client.send(`${head('content-length: 600')}123456`);
    while (server.memoryBudget.held === 0) await new Promise((resolve) => setImmediate(resolve));
    client.socket.destroy();
    while (server.memoryBudget.held > 0) await new Promise((resolve) => setImmediate(resolve));
    expect(executed).toBe(0);
  });

  it('are requested with 100 Continue if they are accepted, and not if they are rejected', async () => {
    await using server = await startServer({
      execute: async (exchange) => answer(await text(exchange)),
      limits: { bodyBytes: 10 },
    });
    using welcome = await rawClient(server.port);
    welcome.send(head('expect: 100-continue\r\ncontent-length: 2'));
    expect(await welcome.until('\r\n\r\n')).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    welcome.send('{}');
    expect(await welcome.until('bytes {}')).toContain('HTTP/1.1 200 OK');
    using old = await rawClient(server.port);
    old.send(`${head('expect: 100-continue\r\ncontent-length: 2').replace('HTTP/1.1', 'HTTP/1.0')}{}`);
    expect(await old.ended).toMatch(/^HTTP\/1.1 200 OK\r\n/);
    using refused = await rawClient(server.port);
    refused.send(head('expect: 100-continue\r\ncontent-length: 20'));
    const all = await refused.ended;
    expect(all).toMatch(/^HTTP\/1.1 413/);
    expect(all).toMatch(/connection: close/i);
  });

  it.each([
    ['/chat/completions', 'x-gw-config: {"provider":"p"}', 400, 'invalid-config'],
    ['/chat/completions', 'x-gw-config: none', 404, 'unknown-config'],
    ['/chat/completions', 'x-gw-virtual-key: none', 400, 'invalid-header'],
    ['/chat/completions', 'x-gw-provider: p\r\nx-gw-custom-host: http://10.0.0.1', 400, 'host-not-allowed'],
    ['/chat/completions', 'x-gw-provider: p\r\nx-gw-confg: c', 400, 'invalid-header'],
    ['/files', 'x-gw-config: none', 404, 'unknown-config'],
    [
      '/audio/transcriptions',
      'x-gw-config: none\r\ncontent-type: multipart/form-data; boundary=b',
      404,
      'unknown-config',
    ],
  ])('are not requested for %s with %s', async (path, lines, status, code) => {
    await using server = await startServer({ execute: () => answer('{}') });
    using client = await rawClient(server.port);
    const begin = `POST /v1${path} HTTP/1.1\r\nhost: localhost\r\n`;
    client.send(`${begin}${lines}\r\nexpect: 100-continue\r\ncontent-length: 9\r\n\r\n`);
    expect(await client.until('\r\n\r\n')).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    client.send(`${begin}x-gw-provider: p\r\ncontent-length: 0\r\n\r\n`);
    const [head = '', ...bodies] = (await client.ended).split('\r\n\r\n');
    expect(head).toMatch(/^connection: close$/im);
    expect(bodies).toEqual([expect.stringContaining(code)]);
  });

  it('are requested if they may name what serves them', async () => {
    const refusals = { '/chat/completions': 'missing-provider', '/files': 'missing-provider' };
    await using server = await startServer({ execute: () => answer('{}') });
    for (const [path, code] of Object.entries(refusals)) {
      using client = await rawClient(server.port);
      client.send(`POST /v1${path} HTTP/1.1\r\nhost: localhost\r\nexpect: 100-continue\r\ncontent-length: 13\r\n\r\n`);
      await client.until('100 Continue');
      client.send('{"model":"m"}');
      expect(await client.until(code)).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 400 /);
    }
  });
});
