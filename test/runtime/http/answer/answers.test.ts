import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../../plugins/sdk/exchange/exchange.ts';
import type { Sink, StreamBody } from '../../../../plugins/sdk/http/http.ts';
import { toPointer } from '../../../../schema/json/pointer.ts';
import { shortestTime, timed } from '../../../support/run/shortest-time.ts';
import { rawClient } from '../../server/support/raw-client.ts';
import { answer, startServer } from '../../server/support/start-server.ts';

const chat = (origin: string, headers: Record<string, string> = {}, body = '{"model":"m"}'): Promise<Response> =>
  fetch(`${origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'x-gw-provider': 'echo', 'content-type': 'application/json', ...headers },
    body,
  });

const toStream = (started: (sink: Sink) => void, discarded: () => void = () => {}): StreamBody => ({
  kind: 'stream',
  start: started,
  discard: discarded,
  onEnd: () => {},
});

describe('responses', () => {
  it('report in their headers how they were produced', async () => {
    await using server = await startServer({
      execute: () =>
        answer('{"ok":true}', {
          leaf: { path: toPointer(['targets', 0, 'targets', 2]), provider: 'openai', retries: 2, cache: 'DISABLED' },
        }),
    });
    const response = await chat(server.origin, { 'x-gw-trace-id': 'trace-7' });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/json',
      'content-length': '11',
      'x-gw-trace-id': 'trace-7',
      'x-gw-provider': 'openai',
      'x-gw-last-used-option-index': 'config.targets[0].targets[2]',
      'x-gw-retry-attempt-count': '2',
      'x-gw-cache-status': 'DISABLED',
      'x-gw-plan': expect.stringMatching(/^request@[0-9a-f]{12}$/),
    });
    expect(await response.json()).toEqual({ ok: true });
  });

  it('have a new trace id if the client sends none', async () => {
    await using server = await startServer({ execute: () => answer('{}') });
    const ids = await Promise.all([1, 2].map(async () => (await chat(server.origin)).headers.get('x-gw-trace-id')));
    expect(ids[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(ids[1]).not.toBe(ids[0]);
  });

  it('have the trace id of traceparent', async () => {
    await using server = await startServer({ execute: () => answer('{}') });
    const id = '4bf92f3577b34da6a3ce929d0e0e4736';
    const response = await chat(server.origin, { traceparent: `00-${id}-00f067aa0ba902b7-01` });
    expect(response.headers.get('x-gw-trace-id')).toBe(id);
  });

  it.each([
    ['the version ff', 'ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'],
    ['a span id of zeros', '00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01'],
    ['more parts than version 00', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more'],
    ['flags that are too long', '01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01more'],
  ])('have a new trace id if traceparent has %s', async (_, traceparent) => {
    await using server = await startServer({ execute: () => answer('{}') });
    const id = (await chat(server.origin, { traceparent })).headers.get('x-gw-trace-id');
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(traceparent).not.toContain(id);
  });

  it('have the trace id of a traceparent of a later version, which may have more fields', async () => {
    await using server = await startServer({ execute: () => answer('{}') });
    const id = '4bf92f3577b34da6a3ce929d0e0e4736';
    const response = await chat(server.origin, { traceparent: `01-${id}-00f067aa0ba902b7-01-more` });
    expect(response.headers.get('x-gw-trace-id')).toBe(id);
  });

  it('contain binary bytes, few or many, as they are', async () => {
    const small = Buffer.from(Array.from({ length: 256 }, (_, at) => at));
    const large = Buffer.alloc(300_000, small);
    for (const bytes of [small, large]) {
      await using server = await startServer({ execute: () => answer({ kind: 'bytes', bytes }) });
      expect(Buffer.from(await (await chat(server.origin)).arrayBuffer()).equals(bytes)).toBe(true);
    }
  });

  it('keep the spelling, the order and the repetition of forwarded headers', async () => {
    await using server = await startServer({
      execute: () =>
        answer('x', { headers: ['X-OddCase', 'one', 'set-cookie', 'a=1', 'Set-Cookie', 'b=2', 'ETag', '"e"'] }),
    });
    using client = await rawClient(server.port);
    client.send('GET /v1/files/f HTTP/1.1\r\nhost: localhost\r\nx-gw-provider: p\r\nconnection: close\r\n\r\n');
    const head = (await client.ended).split('\r\n\r\n', 1)[0]?.split('\r\n') ?? [];
    expect(head.slice(0, 6)).toEqual([
      'HTTP/1.1 200 OK',
      'X-OddCase: one',
      'set-cookie: a=1',
      'Set-Cookie: b=2',
      'ETag: "e"',
      'content-length: 1',
    ]);
    expect(head.some((line) => /^date:/i.test(line))).toBe(false);
  });

  it.each([
    ['HEAD', 200, ['Content-Length', '12345']],
    ['GET', 304, ['ETag', '"e"', 'Content-Length', '12345']],
    ['GET', 204, ['X-Y', 'z']],
  ])('to %s with %i have no body, and keep their headers', async (method, status, headers) => {
    await using server = await startServer({ execute: () => answer('', { status, headers }) });
    using client = await rawClient(server.port);
    client.send(`${method} /v1/x HTTP/1.1\r\nhost: localhost\r\nx-gw-provider: p\r\n\r\n`);
    client.send('GET /livez HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n');
    const [first = '', second = ''] = (await client.ended).split(/(?<=\r\n\r\n)(?=HTTP)/);
    expect(first).toContain(`HTTP/1.1 ${status} `);
    for (let at = 0; at < headers.length; at += 2) expect(first).toContain(`${headers[at]}: ${headers[at + 1]}\r\n`);
    expect(first).not.toMatch(/transfer-encoding/i);
    expect(second).toContain('HTTP/1.1 200 OK');
  });

  it('stream with back-pressure: a full sink returns false, and calls back when there is room', async () => {
    const chunk = Buffer.alloc(64 * 1024, 'x');
    let full = 0;
    const total = 200;
    const body = toStream((sink) => {
      let sent = 0;
      const pump = (): void => {
        while (sent < total) {
          sent += 1;
          if (!sink.write(chunk)) {
            full += 1;
            sink.onDrain(pump);
            return;
          }
        }
        sink.end();
      };
      pump();
    });
    await using server = await startServer({ execute: () => answer(body) });
    expect((await (await chat(server.origin)).arrayBuffer()).byteLength).toBe(total * chunk.length);
    expect(full).toBeGreaterThan(0);
  });

  it('send the head of a stream at once, even if its first byte is late', async () => {
    let sink: Sink | undefined;
    await using server = await startServer({
      execute: () =>
        answer(
          toStream((started) => {
            sink = started;
          }),
        ),
    });
    const response = await chat(server.origin);
    expect(response.status).toBe(200);
    sink?.write(Buffer.from('late'));
    sink?.end();
    expect(await response.text()).toBe('late');
  });

  it.each([{ headers: ['x-made-by-a-plugin', 'two\nlines'] }, { headers: ['not a name', 'x'] }, { status: 99 }])(
    'are a 500 with the trace id if HTTP cannot represent them: %j',
    async (parts) => {
      let discarded = 0;
      const body = toStream(
        () => {},
        () => {
          discarded += 1;
        },
      );
      await using server = await startServer({ execute: () => answer(body, parts) });
      const response = await chat(server.origin, { 'x-gw-trace-id': 't' });
      expect([response.status, response.headers.get('x-gw-trace-id'), discarded]).toEqual([500, 't', 1]);
      expect(await response.json()).toMatchObject({ error: { code: 'internal-error' } });
    },
  );

  it('close the connection if a stream fails that cannot report an error', async () => {
    await using server = await startServer({
      execute: () =>
        answer(
          toStream((sink) => {
            sink.write(Buffer.from('half'));
            sink.fail({ code: 'connection-lost', status: 502, type: 'network_error', message: '' });
          }),
        ),
    });
    using client = await rawClient(server.port);
    client.send('GET /v1/x HTTP/1.1\r\nhost: localhost\r\nx-gw-provider: p\r\n\r\n');
    expect(await client.ended).not.toMatch(/\r\n0\r\n\r\n$/);
  });

  it('are cancelled when the client disconnects, before and after they have started', async () => {
    let arrived = Promise.withResolvers<Exchange>();
    await using server = await startServer({
      execute: (exchange) => {
        arrived.resolve(exchange);
        return new Promise(() => {});
      },
    });
    const leave = async (): Promise<number> => {
      arrived = Promise.withResolvers<Exchange>();
      using client = await rawClient(server.port);
      client.send('GET /v1/x HTTP/1.1\r\nhost: localhost\r\nx-gw-provider: p\r\n\r\n');
      const { cancellation } = await arrived.promise;
      expect(cancellation.cancelled).toBe(false);
      const left = new Promise<void>((resolve) => cancellation.onCancel(resolve));
      client.socket.destroy();
      return timed(() => left);
    };
    expect(await shortestTime(100, leave)).toBeLessThan(100);
  });

  it('are discarded if the client has disconnected', async () => {
    const arrived = Promise.withResolvers<void>();
    const discarded = Promise.withResolvers<void>();
    await using server = await startServer({
      execute: async (exchange) => {
        const left = new Promise<void>((resolve) => exchange.cancellation.onCancel(resolve));
        arrived.resolve();
        await left;
        return answer(toStream(() => {}, discarded.resolve));
      },
    });
    using client = await rawClient(server.port);
    client.send('GET /v1/x HTTP/1.1\r\nhost: localhost\r\nx-gw-provider: p\r\n\r\n');
    await arrived.promise;
    client.socket.destroy();
    await discarded.promise;
  });
});
