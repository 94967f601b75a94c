import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';

let gateway: GatewayProcess;
/** A server that answers after the head of a request, and never reads the body. */
let upstream: Server;

const refusal = '{"error":{"message":"Wrong key."}}';

beforeAll(async () => {
  upstream = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.pause();
      socket.write(
        `HTTP/1.1 401 Unauthorized\r\ncontent-type: application/json\r\ncontent-length: ${refusal.length}\r\nconnection: close\r\n\r\n${refusal}`,
      );
    });
  });
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  gateway = await startGateway({
    files: {
      'gateway.json': { limits: { body_bytes: 1024 * 1024 }, auth: { keys: [{ id: 'one', key: '${env:ONE}' }] } },
    },
    env: { ONE: 'service-key' },
  });
});
afterAll(async () => {
  await gateway.stop();
  upstream.close();
});

interface Answered {
  readonly status: number | undefined;
  readonly connection: string | undefined;
  readonly text: string;
}

const upload = (
  agent: Agent | false,
  body: Buffer,
  { key = 'service-key', chunked = false, path = '/files', type = 'application/octet-stream' } = {},
): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const { port } = upstream.address() as AddressInfo;
    const config = { provider: 'openai', api_key: 'wrong', custom_host: `http://127.0.0.1:${port}/v1` };
    const sent = request(`${gateway.baseUrl}${path}`, {
      agent,
      method: 'POST',
      headers: {
        'x-gw-api-key': key,
        'x-gw-config': JSON.stringify(config),
        'content-type': type,
        ...(chunked ? {} : { 'content-length': body.length }),
      },
    });
    sent.on('error', reject);
    sent.on('response', (answer: IncomingMessage) => {
      const parts: Buffer[] = [];
      answer.on('data', (part) => parts.push(part));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({
          status: answer.statusCode,
          connection: answer.headers.connection,
          text: Buffer.concat(parts).toString(),
        }),
      );
    });
    sent.end(body);
  });

describe('an upload that is answered before it is read', () => {
  it.each([
    ['with a known length', false],
    ['with a chunked body', true],
  ])('%s gets its answer, as do the next requests of the same client', async (_, chunked) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const body = Buffer.alloc(1024 * 1024, 'x');
    for (let at = 0; at < 8; at += 1)
      expect(await upload(agent, body, { chunked })).toMatchObject({ status: 401, text: refusal });
    agent.destroy();
  });

  it('has its connection closed, because the rest of the body is not read', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const body = Buffer.alloc(14 * 1024 * 1024, 'x');
    for (let at = 0; at < 8; at += 1)
      expect(await upload(agent, body)).toEqual({ status: 401, connection: 'close', text: refusal });
    agent.destroy();
  });

  it('gets an answer of the gateway itself too', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const body = Buffer.alloc(8 * 1024 * 1024, 'x');
    for (let at = 0; at < 8; at += 1)
      expect(await upload(agent, body, { key: 'wrong' })).toMatchObject({ status: 401 });
    agent.destroy();
  });

  it.each([
    ['a body above the size limit', { path: '/chat/completions', type: 'application/json' }, 413],
    ['a missing control plane', { path: '/configs', type: 'application/json' }, 404],
    ['a wrong key', { key: 'wrong' }, 401],
    ['an unknown path', { path: '/../nothing' }, 404],
    ['a provider that refuses it', {}, 401],
  ])('gets the answer for %s, if its client has announced the end of the connection', async (_, of, status) => {
    const body = Buffer.alloc(6 * 1024 * 1024, 'x');
    for (const chunked of [false, true])
      for (let at = 0; at < 8; at += 1) expect(await upload(false, body, { ...of, chunked })).toMatchObject({ status });
  });
});

/** Sends all data piece by piece before it reads the answer, as most clients other than browsers do. */
const sendFirst = (text: string): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(Number(new URL(gateway.origin).port), '127.0.0.1');
    let received = '';
    socket.pause();
    socket.on('data', (part) => (received += part.toString('latin1')));
    socket.on('error', () => {});
    socket.on('close', () => resolve(received));
    const send = (from: number): void => {
      if (from >= text.length) socket.resume();
      else socket.write(text.slice(from, from + 10_000), 'latin1', () => send(from + 10_000));
    };
    send(0);
  });

describe('a request that is refused for its head', () => {
  const body = 'x'.repeat(2_000_000);
  const length = `content-length: ${body.length}`;

  it.each([
    ['a header that is too long', `GET /livez HTTP/1.1\r\nhost: localhost\r\nx: ${body}\r\n\r\n`, 431],
    ['an invalid request target', `POST /a b HTTP/1.1\r\nhost: localhost\r\n${length}\r\n\r\n${body}`, 400],
    ['two lengths', `POST / HTTP/1.1\r\nhost: localhost\r\n${length}\r\ncontent-length: 5\r\n\r\n${body}`, 400],
    ['no host', `POST / HTTP/1.1\r\n${length}\r\n\r\n${body}`, 400],
    ['several hosts', `POST / HTTP/1.1\r\nhost: a\r\nhost: b\r\n${length}\r\n\r\n${body}`, 400],
    ['a tunnel', `CONNECT api.example:443 HTTP/1.1\r\nhost: api.example:443\r\n\r\n${body}`, 405],
  ])('gets its answer for %s, although its client continues to send', async (_, text, status) => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => sendFirst(text)));
    expect(answers.map((answer) => answer.slice(0, 12))).toEqual(answers.map(() => `HTTP/1.1 ${status}`));
  });
});

describe('a client that waits for 100 Continue', () => {
  /** Returns the status of a request whose body is sent only when it is asked for, and whether it was. */
  const announce = (headers: Readonly<Record<string, string>>): Promise<[number | undefined, boolean]> =>
    new Promise((resolve, reject) => {
      let isAsked = false;
      const sent = request(`${gateway.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { 'x-gw-api-key': 'service-key', ...headers, expect: '100-continue', 'content-length': 2 },
      });
      sent.on('continue', () => {
        isAsked = true;
        sent.end('{}');
      });
      sent.on('response', (response) => {
        response.resume().on('end', () => resolve([response.statusCode, isAsked]));
        sent.destroy();
      });
      sent.on('error', reject);
      sent.flushHeaders();
    });

  it.each<[number, boolean, Record<string, string>]>([
    [401, false, { 'x-gw-api-key': 'wrong-key', 'x-gw-provider': 'echo' }],
    [400, false, { 'x-gw-config': '{"provider":"echo","retry":{"attempts":-1}}' }],
    [404, false, { 'x-gw-config': 'unknown' }],
    [400, false, { 'x-gw-provider': '@unknown' }],
    [400, true, { 'x-gw-config': '{"retry":{"attempts":1}}' }],
    [200, true, { 'x-gw-config': '{"provider":"echo"}' }],
  ])('gets %i, and is asked for its body: %s, with %j', async (status, isAsked, headers) => {
    expect(await announce(headers)).toEqual([status, isAsked]);
  });
});
