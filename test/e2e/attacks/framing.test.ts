import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';

let gateway: GatewayProcess;
let upstream: TestUpstream;

beforeAll(async () => {
  upstream = await startUpstream((call) => call.json(openaiAnswer({ text: 'Hello!' })));
  gateway = await startGateway();
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

const body = '{"model":"m","messages":[{"role":"user","content":"Hello!"}]}';
const chunk = `${body.length.toString(16)}\r\n${body}\r\n`;
const postLine = 'POST /v1/chat/completions HTTP/1.1';
const hidden = 'GET /v1/files/hidden HTTP/1.1\r\nhost: localhost\r\n\r\n';

/** Everything that is received until the connection ends. */
const send = (request: string): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(Number(new URL(gateway.origin).port), '127.0.0.1');
    let text = '';
    socket.on('data', (part) => (text += part.toString('latin1')));
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
    socket.setTimeout(20_000, () => socket.destroy());
    socket.write(request, 'latin1');
  });

const headed = (line: string, rest: string): string =>
  `${line}\r\nconnection: close\r\nx-gw-config: ${JSON.stringify({ provider: 'openai', api_key: 'k', custom_host: `${upstream.origin}/v1` })}\r\ncontent-type: application/json\r\n${rest}`;
const post = (rest: string): string => headed(`${postLine}\r\nhost: localhost`, rest);
const chunked = (rest: string): string => post(`transfer-encoding: chunked\r\n\r\n${rest}`);

const refused: readonly (readonly [name: string, request: () => string])[] = [
  [
    'both framings',
    () => post(`content-length: ${body.length}\r\ntransfer-encoding: chunked\r\n\r\n${chunk}0\r\n\r\n`),
  ],
  [
    'a request after both framings',
    () => post(`transfer-encoding: chunked\r\ncontent-length: 5\r\n\r\n0\r\n\r\n${hidden}`),
  ],
  ['two lengths', () => post(`content-length: ${body.length}\r\ncontent-length: 5\r\n\r\n${body}`)],
  ['the same length twice', () => post(`content-length: 5, 5\r\n\r\n${body}`)],
  ['a length with a sign', () => post(`content-length: +${body.length}\r\n\r\n${body}`)],
  ['a negative length', () => post('content-length: -1\r\n\r\n')],
  ['a length that is too large', () => post(`content-length: ${'9'.repeat(40)}\r\n\r\n${body}`)],
  ['an unknown transfer coding', () => post(`transfer-encoding: xchunked\r\n\r\n${chunk}0\r\n\r\n`)],
  ['another transfer coding before chunked', () => post(`transfer-encoding: gzip, chunked\r\n\r\n${chunk}0\r\n\r\n`)],
  [
    'another transfer coding before chunked, in its own header line',
    () => post(`transfer-encoding: gzip\r\ntransfer-encoding: chunked\r\n\r\n${chunk}0\r\n\r\n`),
  ],
  [
    'another transfer coding after chunked',
    () => post(`transfer-encoding: chunked, identity\r\n\r\n${chunk}0\r\n\r\n`),
  ],
  ['a space before a colon', () => post(`transfer-encoding : chunked\r\n\r\n${chunk}0\r\n\r\n`)],
  ['a negative chunk size', () => chunked('-1\r\n\r\n')],
  ['a chunk size that is too large', () => chunked('ffffffffffffffff1\r\n{}')],
  ['a chunk size with a prefix', () => chunked('0x2\r\n{}\r\n0\r\n\r\n')],
  ['chunks without carriage returns', () => chunked(`${chunk}0\r\n\r\n`.replaceAll('\r\n', '\n'))],
  ['lines without carriage returns', () => post(`content-length: ${body.length}\r\n\r\n`).replaceAll('\r\n', '\n')],
  ['a lone carriage return', () => post(`x-a: b\rc: d\r\ncontent-length: ${body.length}\r\n\r\n${body}`)],
  ['a folded header line', () => post(`x-a: b\r\n c\r\ncontent-length: ${body.length}\r\n\r\n${body}`)],
  ['U+0000 in a header', () => post(`x-a: b\0\r\ncontent-length: ${body.length}\r\n\r\n${body}`)],
  ['U+0000 in a path', () => headed('GET /v1/\0models HTTP/1.1\r\nhost: localhost', '\r\n')],
  ['endless trailers', () => chunked(`${chunk}0\r\n${`x-t: ${'e'.repeat(1000)}\r\n`.repeat(3000)}`)],
  ['an endless chunk extension', () => chunked(`1;${'e'.repeat(2_000_000)}`)],
  ['HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['TLS', () => '\x16\x03\x01\x00\xc8\x01\x00\x00\xc4\x03\x03'],
  [
    'another host in the target',
    () => headed('POST http://evil.invalid/v1/chat/completions HTTP/1.1\r\nhost: localhost', '\r\n'),
  ],
  ['a request to the whole server', () => headed('OPTIONS * HTTP/1.1\r\nhost: localhost', '\r\n')],
  ['a tunnel', () => headed(`CONNECT ${new URL(upstream.origin).host} HTTP/1.1\r\nhost: localhost`, '\r\n')],
];

it.for(refused)('%s: is refused, and no request is sent to a provider', async ([, request]) => {
  const before = upstream.requests.length;
  const answer = await send(request());
  expect(answer).not.toMatch(/^HTTP\/1\.1 [25]/m);
  expect(upstream.requests.length).toBe(before);
});

const served: readonly (readonly [name: string, request: () => string])[] = [
  ['"chunked" in capitals', () => post(`transfer-encoding: CHUNKED\r\n\r\n${chunk}0\r\n\r\n`)],
  ['chunks with extensions', () => chunked(`${body.length.toString(16)};a=b;c\r\n${body}\r\n0\r\n\r\n`)],
  [
    'trailers that look like headers',
    () => chunked(`${chunk}0\r\nx-gw-config: evil\r\nauthorization: Bearer evil\r\n\r\n`),
  ],
  ['HTTP/1.0', () => headed('POST /v1/chat/completions HTTP/1.0', `content-length: ${body.length}\r\n\r\n${body}`)],
  ['an offer to upgrade the protocol', () => post(`upgrade: h2c\r\ncontent-length: ${body.length}\r\n\r\n${body}`)],
  ['empty lines before the request', () => `\r\n\r\n${post(`content-length: ${body.length}\r\n\r\n${body}`)}`],
  ['thousands of spaces', () => post(`x-a: b${' '.repeat(30_000)}\r\ncontent-length: ${body.length}\r\n\r\n${body}`)],
];

it.for(served)('%s: is served as one request with the body as it was sent', async ([, request]) => {
  const before = upstream.requests.length;
  expect(await send(request())).toMatch(/^HTTP\/1\.1 200/);
  const sent = upstream.requests.slice(before);
  expect(sent).toHaveLength(1);
  expect(JSON.stringify(sent)).not.toContain('evil');
});
