import { describe, expect, it } from 'vitest';
import type { Sink } from '../../../../plugins/sdk/http/http.ts';
import { rawClient } from '../support/raw-client.ts';
import { answer, startServer } from '../support/start-server.ts';

describe('an invalid request', () => {
  it.each([
    ['NONSENSE\r\n\r\n', 400, 'invalid-header'],
    ['GET /v1/x HTTP/1.1\r\nhost: localhost\r\nbad header: x\r\n\r\n', 400, 'invalid-header'],
    [`GET /v1/x HTTP/1.1\r\nhost: localhost\r\nx: ${'x'.repeat(70_000)}\r\n\r\n`, 431, 'header-too-large'],
  ])('is answered with an error that ends its connection', async (text, status, code) => {
    await using server = await startServer({ execute: () => answer('{}') });
    using client = await rawClient(server.port);
    client.send(text);
    const all = await client.ended;
    expect(all).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    const [head = '', body = ''] = all.split('\r\n\r\n');
    expect(head).toMatch(/x-gw-trace-id: [0-9a-f]{32}/);
    expect(JSON.parse(body)).toMatchObject({ error: { code, type: 'invalid_request_error', param: null } });
  });

  it.each([
    ['of an operation', '/v1/chat/completions'],
    ['that is passed through', '/v1/files'],
  ])('with a body %s whose chunks are malformed is answered, and ends its connection', async (_, path) => {
    let cancelled = (): void => {};
    const over = new Promise<void>((resolve) => {
      cancelled = resolve;
    });
    await using server = await startServer({
      execute: (exchange) => {
        exchange.cancellation.onCancel(cancelled);
        return new Promise(() => {});
      },
    });
    for (const chunks of ['ZZ\r\n', '2\r\nabcdef\r\n', `2;${'a'.repeat(20_000)}`]) {
      using client = await rawClient(server.port);
      client.send(`POST ${path} HTTP/1.1\r\nhost: localhost\r\nx-gw-provider: p\r\ntransfer-encoding: chunked\r\n\r\n`);
      client.send(chunks);
      const [head = '', body = ''] = (await client.ended).split('\r\n\r\n');
      expect(head).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/);
      expect(head).toContain('connection: close');
      expect(JSON.parse(body)).toMatchObject({ error: { code: 'invalid-header' } });
    }
    if (path === '/v1/files') await over;
    expect(server.memoryBudget.held).toBe(0);
  });

  it.each([
    ['with an unknown transfer coding', '/v1/x', 'xchunked', '2\r\n{}\r\n0\r\n\r\n', 400, 'decodes only chunked'],
    ['with chunked twice', '/v1/x', 'chunked, chunked', '2\r\n{}\r\n0\r\n\r\n', 400, 'not valid'],
    ['with malformed chunks at an unknown path', '/elsewhere', 'chunked', 'ZZ\r\n', 404, 'unknown-route'],
    ['with malformed chunks at a path without a body', '/livez', 'chunked', 'ZZ\r\n', 200, 'alive'],
  ])(
    '%s that comes in one packet is answered, and ends its connection',
    async (_, path, coding, rest, status, text) => {
      await using server = await startServer({ execute: () => answer('{}') });
      using client = await rawClient(server.port);
      const lines = `host: localhost\r\nx-gw-provider: p\r\ntransfer-encoding: ${coding}`;
      client.send(`${path === '/livez' ? 'GET' : 'POST'} ${path} HTTP/1.1\r\n${lines}\r\n\r\n${rest}`);
      const all = await client.ended;
      expect(all).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(all).toContain(text);
      expect(all.match(/^HTTP\/1.1 /gm)).toHaveLength(1);
    },
  );

  it('keeps a request after it in the same packet from being served, because its answer would be lost', async () => {
    const served: string[] = [];
    await using server = await startServer({
      execute: ({ request }) => {
        served.push(request.path);
        return answer('{}');
      },
    });
    using client = await rawClient(server.port);
    client.send('GET /v1/x HTTP/1.1\r\n\r\nGET /v1/y HTTP/1.1\r\nhost: localhost\r\nx-gw-provider: p\r\n\r\n');
    expect(await client.ended).toMatch(/^HTTP\/1.1 400 /);
    expect(served).toEqual([]);
  });

  it.each(['/v1/files', '/livez', '/elsewhere'])('is one without a host or with two: %s', async (path) => {
    await using server = await startServer({ execute: () => answer('{}') });
    for (const [lines, reason] of [
      ['', 'it is missing.'],
      ['Host: localhost\r\nhost: evil.example\r\n', 'it occurs more than once.'],
      ['Host: localhost\r\nHost: localhost\r\n', 'it occurs more than once.'],
    ]) {
      using client = await rawClient(server.port);
      client.send(`GET ${path} HTTP/1.1\r\n${lines}x-gw-provider: p\r\n\r\n`);
      const all = await client.ended;
      expect(all).toMatch(/^HTTP\/1.1 400 /);
      expect(all).toMatch(/x-gw-trace-id: [0-9a-f]{32}/);
      expect(all).toContain('"code":"invalid-header"');
      expect(all).toContain(reason);
    }
  });

  it('may follow the chunks of an HTTP/1.0 request, so that only this request is served', async () => {
    const served: string[] = [];
    await using server = await startServer({
      execute: ({ request }) => {
        served.push(request.path);
        return answer('{}');
      },
    });
    using client = await rawClient(server.port);
    const lines = 'host: localhost\r\nx-gw-provider: p\r\nconnection: keep-alive\r\n';
    client.send(`POST /v1/chat/completions HTTP/1.0\r\n${lines}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`);
    client.send(`GET /v1/y HTTP/1.1\r\n${lines}\r\n`);
    expect((await client.ended).match(/HTTP\/1.1 200/g)).toHaveLength(1);
    expect(served).toEqual(['/chat/completions']);
  });

  it('is not one without a host in HTTP/1.0', async () => {
    await using server = await startServer({ execute: () => answer('{}') });
    using client = await rawClient(server.port);
    client.send('GET /livez HTTP/1.0\r\n\r\n');
    expect(await client.ended).toContain('alive');
  });

  const whole = 'GET /v1/x HTTP/1.1\r\nhost: localhost\r\nx-gw-provider: p\r\n\r\n';

  it.each([
    ['on a connection that stays open', whole, 'NONSENSE\r\n\r\n'],
    ['on a connection that is to be closed', whole.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n'), whole],
    [
      'whose body is longer than its content-length',
      'POST /v1/x HTTP/1.1\r\nhost: localhost\r\nx-gw-provider: p\r\ncontent-length: 2\r\n\r\n{}',
      '}}',
    ],
  ])('is not answered after a request %s, whose answer ends the connection', async (_, first, second) => {
    let give = (): void => {};
    const served: string[] = [];
    await using server = await startServer({
      execute: ({ request }) => {
        served.push(request.path);
        return new Promise((resolve) => {
          give = () => resolve(answer('{"first":true}'));
        });
      },
    });
    using client = await rawClient(server.port);
    client.send(first + second);
    await expect.poll(() => served).toHaveLength(1);
    client.send('NONSENSE\r\n\r\n');
    // A request that is sent after it shows that it has arrived.
    using other = await rawClient(server.port);
    other.send('GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await other.until('alive');
    give();
    expect(await client.ended).toMatch(
      /^HTTP\/1.1 200 OK\r\n(?:(?!HTTP\/).)*connection: close(?:(?!HTTP\/).)*"first":true}$/is,
    );
    expect(served).toHaveLength(1);
  });

  it('after several requests ends their connection with the last answer', async () => {
    const gives: ((text: string) => void)[] = [];
    await using server = await startServer({
      execute: () => new Promise((resolve) => void gives.push((text) => resolve(answer(text)))),
    });
    using client = await rawClient(server.port);
    client.send(`${whole}${whole}NONSENSE\r\n\r\n`);
    await expect.poll(() => gives).toHaveLength(2);
    gives[0]?.('"first"');
    expect(await client.until('"first"')).not.toMatch(/connection: close/i);
    gives[1]?.('"second"');
    const [, ...second] = (await client.ended).split(/(?=HTTP\/1.1)/);
    expect(second).toEqual([expect.stringMatching(/^HTTP\/1.1 200 .*connection: close.*"second"$/is)]);
  });

  it('is answered after another request if its own body is malformed', async () => {
    let give = (): void => {};
    await using server = await startServer({
      execute: ({ request }) =>
        new Promise((resolve) => {
          if (request.method === 'GET') give = () => resolve(answer('{}'));
        }),
    });
    using client = await rawClient(server.port);
    client.send(
      `${whole}POST /v1/y HTTP/1.1\r\nhost: localhost\r\nx-gw-provider: p\r\ntransfer-encoding: chunked\r\n\r\n`,
    );
    client.send('ZZ\r\n');
    using other = await rawClient(server.port);
    other.send('GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await other.until('alive');
    give();
    expect(await client.ended).toMatch(/^HTTP\/1.1 200 .*HTTP\/1.1 400 Bad Request\r\n.*connection: close/is);
  });

  it('is never answered in the middle of another answer', async () => {
    let begin = (_sink: Sink): void => {};
    const begun = new Promise<Sink>((resolve) => {
      begin = resolve;
    });
    await using server = await startServer({
      execute: () => answer({ kind: 'stream', start: begin, discard: () => {}, onEnd: () => {} }),
    });
    using client = await rawClient(server.port);
    client.send(whole);
    const sink = await begun;
    sink.write(Buffer.from('half'));
    await client.until('half');
    client.send('NONSENSE\r\n\r\n');
    using other = await rawClient(server.port);
    other.send('GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await other.until('alive');
    sink.write(Buffer.from('whole'));
    sink.end();
    expect(await client.ended).toMatch(/half\r\n5\r\nwhole\r\n0\r\n\r\n$/);
  });

  it('does not keep an earlier request from being cancelled when the client disconnects', async () => {
    const cancelled = Promise.withResolvers<void>();
    await using server = await startServer({
      execute: (exchange) => {
        exchange.cancellation.onCancel(cancelled.resolve);
        return new Promise(() => {});
      },
    });
    using client = await rawClient(server.port);
    client.send(`${whole}NONSENSE\r\n\r\n`);
    client.socket.end();
    await cancelled.promise;
  });
});

it('a client that takes the gateway for a proxy is answered that it accepts no CONNECT', async () => {
  await using server = await startServer({ execute: () => answer('{}') });
  using client = await rawClient(server.port);
  client.send('CONNECT api.example:443 HTTP/1.1\r\nhost: api.example:443\r\n\r\n');
  expect(await client.ended).toContain('"The endpoint of this gateway does not accept CONNECT. Send GET and POST.');
});

describe('the pages of a gateway', () => {
  it.each([
    ['GET', '/', 200, 'This is Gatewright.'],
    ['GET', '/livez', 200, 'alive'],
    ['GET', '/readyz?verbose', 200, '"status":"ready"'],
    ['POST', '/readyz', 405, 'The endpoint /readyz does not accept POST. Send GET.'],
    ['GET', '/elsewhere', 404, 'unknown-route'],
    ['GET', '/elsewhere', 404, 'no endpoint at /elsewhere. Paths begin with /v1'],
    ['GET', '/healthy', 404, 'Paths begin with /v1'],
    ['GET', '/model/info', 404, '"error":{"message":"The gateway has no endpoint at /model/info. Paths begin with /v1'],
    ['GET', '/model/m/converse', 404, '"__type":"ResourceNotFoundException"'],
    ['GET', '/console', 404, 'no endpoint at /console. The console needs a store: start the gateway with one'],
    ['GET', '/console/assets/none.js', 404, 'Paths begin with /v1'],
    ['GET', '/consoles', 404, 'no endpoint at /consoles. Paths begin with /v1'],
    ['GET', '/metrics?x=1', 404, String.raw`no endpoint at /metrics. Set \"metrics\": true in the gateway file`],
  ])('answer %s %s with %i', async (method, path, status, text) => {
    await using server = await startServer({ execute: () => answer('{}') });
    const response = await fetch(server.origin + path, { method, headers: { 'x-gw-trace-id': 'mine' } });
    expect(response.status).toBe(status);
    expect(response.headers.get('x-gw-trace-id')).toBe('mine');
    expect(await response.text()).toContain(text);
  });

  it.each([
    ...['/health', '/healthz', '/healthcheck', '/live', '/ready', '/ping', '/Health/'],
    ...['/health/liveliness', '/health/liveness?x=1', '/health/readiness'],
  ])('mention the health endpoints at %s', async (path) => {
    await using server = await startServer({ execute: () => answer('{}') });
    const response = await fetch(server.origin + path);
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('. With gw serve, /readyz reports whether it accepts requests, and /livez');
  });
});

describe('an unknown expectation', () => {
  it('is ignored, and the request is answered like any other', async () => {
    await using server = await startServer({ execute: () => answer('{}') });
    using client = await rawClient(server.port);
    const lines = 'host: localhost\r\nx-gw-provider: p\r\nexpect: 200-maybe\r\nconnection: close\r\ncontent-length: 2';
    client.send(`POST /v1/files HTTP/1.1\r\n${lines}\r\n\r\nhi`);
    const all = await client.ended;
    expect(all).toMatch(/^HTTP\/1.1 200 /);
    expect(all).toMatch(/x-gw-trace-id: [0-9a-f]{32}/);
  });
});
