import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { adminKey, chat, control } from '../../support/gateways/stored-gateway.ts';

let gateway: GatewayProcess;
const keys = { greedy: '', other: '' };

beforeAll(async () => {
  gateway = await startGateway({ args: ['--store', 'gateway.db'], env: { GW_ADMIN_KEY: adminKey } });
  for (const slug of ['greedy', 'other'] as const) {
    const { id = '' } = await control(gateway, 'POST /workspaces', { body: { name: slug, slug } });
    const body = { name: slug, scopes: ['completions.write'], workspace_id: id };
    const { key = '' } = await control(gateway, 'POST /api-keys/workspace/service', { body });
    keys[slug] = key;
  }
});
afterAll(() => gateway.stop());

const mebibyte = 1024 * 1024;
const head = (config: object, lines: string): string =>
  `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nx-gw-api-key: ${keys.greedy}\r\nx-gw-config: ${JSON.stringify(config)}\r\ncontent-type: application/json\r\n${lines}\r\n\r\n`;
const echo = { provider: 'echo' };
const question = '{"model":"m","messages":[{"role":"user","content":"Hello!"}]}';
const asked = (config: object, body = question): string => head(config, `content-length: ${body.length}`) + body;

/** Opens connections that each write this, and read nothing. */
const connections = async (count: number, write: (socket: Socket) => void): Promise<void> => {
  const { port } = new URL(gateway.origin);
  const opened = Array.from({ length: count }, async () => {
    const socket = connect(Number(port), '127.0.0.1').pause();
    socket.on('error', () => {});
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    write(socket);
  });
  await Promise.all(opened);
};

/** Writes a letter twenty times a second for as long as the connection is open. */
const trickle = (socket: Socket, letter: string): void => {
  const timer = setInterval(() => socket.write(letter), 50);
  socket.on('close', () => clearInterval(timer));
};

const pump = (socket: Socket, block: string | Buffer, left = 100): void => {
  if (left === 0 || socket.destroyed) return;
  if (socket.write(block)) setImmediate(pump, socket, block, left - 1);
  else socket.once('drain', () => pump(socket, block, left - 1));
};

const begin = (socket: Socket, text: string): Socket => {
  socket.write(text);
  return socket;
};

const bomb = gzipSync(Buffer.alloc(100 * mebibyte, ' '));

const clients: readonly (readonly [name: string, flood: () => Promise<void>])[] = [
  ['connections that send nothing', () => connections(500, () => {})],
  [
    'request headers that never end',
    () => connections(500, (to) => to.write(`GET / HTTP/1.1\r\nx: ${'x'.repeat(60_000)}`)),
  ],
  [
    'request headers sent one byte at a time',
    () =>
      connections(300, (to) => {
        to.write('GET / HTTP/1.1\r\nx: ');
        trickle(to, 'x');
      }),
  ],
  [
    'request bodies that are never completed',
    () =>
      connections(150, (to) => {
        to.write(head(echo, `content-length: ${32 * mebibyte}`));
        to.write(Buffer.alloc(mebibyte, ' '));
      }),
  ],
  [
    'request bodies sent one byte at a time',
    () =>
      connections(300, (to) => {
        to.write(head(echo, 'content-length: 1000000'));
        trickle(to, ' ');
      }),
  ],
  [
    'request bodies that wait for 100 Continue',
    () => connections(300, (to) => to.write(head(echo, 'expect: 100-continue\r\ncontent-length: 30000000'))),
  ],
  [
    'thousands of requests whose answers are never read',
    () => connections(10, (to) => to.write(asked(echo).repeat(1000))),
  ],
  [
    'request bodies that are large when decoded',
    () =>
      connections(20, (to) => {
        to.write(head(echo, `content-encoding: gzip\r\ncontent-length: ${bomb.length}`));
        to.write(bomb);
      }),
  ],
];

const json = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const events = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n';

const providers: readonly (readonly [name: string, answer: (socket: Socket) => void])[] = [
  ['one byte at a time', (to) => trickle(begin(to, `${json}\r\n`), ' ')],
  ['with headers that never end', (to) => trickle(begin(to, 'HTTP/1.1 200 OK\r\nx: '), 'x')],
  ['with megabytes of headers', (to) => pump(begin(to, 'HTTP/1.1 200 OK\r\nx: '), 'x'.repeat(mebibyte))],
  ['with endless interim answers', (to) => trickle(to, 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(20))],
  ['with endless JSON', (to) => pump(begin(to, `${json}\r\n`), Buffer.alloc(mebibyte, ' '))],
  ['with an endless event', (to) => pump(begin(to, `${events}data: `), Buffer.alloc(mebibyte, 'x'))],
  ['with endless comments', (to) => pump(begin(to, events), ': ping\n\n'.repeat(50_000))],
  ['with a body that is large when decoded', (to) => begin(to, `${json}content-encoding: gzip\r\n\r\n`).end(bomb)],
  [
    'with an endless chunk extension',
    (to) => pump(begin(to, `${json}transfer-encoding: chunked\r\n\r\n1;`), 'x'.repeat(mebibyte)),
  ],
  [
    'with endless trailers',
    (to) => pump(begin(to, `${json}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n`), 'x-t: x\r\n'.repeat(10_000)),
  ],
  ['with bytes that are not HTTP', (to) => to.end('Hello!\r\n\r\n')],
  ['nothing', () => {}],
];

/** Checks that another tenant is answered. */
const expectAnswers = async (): Promise<void> => {
  for (let at = 0; at < 3; at += 1) {
    const answer = await chat(gateway, { key: keys.other });
    expect(answer.status).toBe(200);
    await answer.text();
  }
};

it.for(clients)('another tenant is answered beside %s', { timeout: 60_000 }, async ([, flood]) => {
  await flood();
  await expectAnswers();
});

it.for(providers)(
  'another tenant is answered beside providers that answer %s',
  { timeout: 60_000 },
  async ([, answer]) => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      onTestFinished(() => void socket.destroy());
      socket.once('data', () => answer(socket));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const config = { provider: 'openai', api_key: 'k', custom_host: `http://127.0.0.1:${port}/v1` };
    await connections(20, (to) => to.write(asked(config)));
    await connections(20, (to) => to.write(asked(config, question.replace('{', '{"stream":true,'))));
    await expectAnswers();
  },
);
