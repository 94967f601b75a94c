import { connect } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { type RawAnswer, type RawRequest, rawHttp } from '../../support/servers/raw-http.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';

let gateway: GatewayProcess;
let upstream: TestUpstream;

const config = (): string =>
  JSON.stringify({ provider: 'openai', api_key: 'callers-own-key', custom_host: `${upstream.origin}/v1` });
const send = (request: RawRequest): Promise<RawAnswer> =>
  rawHttp(gateway.origin, { ...request, lines: [`x-gw-config: ${config()}`, ...(request.lines ?? [])] });

/** The headers that the gateway adds, and those of its own connection. */
const isGatewaysOwn = (line: string): boolean => /^(x-gw-|connection:|keep-alive:)/i.test(line);
const provided = ({ lines }: RawAnswer): readonly string[] => lines.filter((line) => !isGatewaysOwn(line));

beforeAll(async () => {
  [gateway, upstream] = await Promise.all([startGateway({ env: { GW_LOG: 'requests' } }), startUpstream()]);
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

const answerWith = (head: string, body: string | Buffer = ''): void =>
  upstream.handle((call) => {
    call.raw(Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(body)]));
    call.cut();
  });

describe('a request that the gateway does not model', () => {
  it('is logged as left if its client disconnects within the body that was to name its provider', async () => {
    const head = 'POST /v1/odd HTTP/1.1\r\nhost: localhost\r\nx-gw-trace-id: cut\r\ncontent-type: application/json\r\n';
    const { hostname, port } = new URL(gateway.origin);
    connect(Number(port), hostname).end(`${head}content-length: 100\r\n\r\n{"model":`);
    const find = (): unknown => gateway.records().find(({ trace }) => trace === 'cut');
    await expect.poll(find).toMatchObject({ status: 499, end: 'left' });
  });

  it.each(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])(
    'is forwarded with %s, with its path, query and body unchanged',
    async (method) => {
      const body = Buffer.from([0, 1, 2, 255, 254, 13, 10, 0]);
      answerWith('HTTP/1.1 207 Odd\r\nX-Odd-CASE: Kept\r\nContent-Length: 2\r\n\r\n', 'ok');
      const answer = await send({
        method,
        path: '/v1/vector_stores/a%2Fb?x=1&x=2&empty=&q=%20',
        lines: ['Content-Type: application/x-thing', 'X-Client-ODD: Yes'],
        body,
      });
      const request = upstream.requests.at(-1);
      expect(request?.method).toBe(method);
      expect(request?.path).toBe('/v1/vector_stores/a%2Fb?x=1&x=2&empty=&q=%20');
      expect(request?.body.equals(body)).toBe(true);
      expect(request?.rawHeaders).toContain('X-Client-ODD');
      expect(request?.header('content-type')).toBe('application/x-thing');
      expect(answer.statusLine).toMatch(/^HTTP\/1\.1 207 /);
      expect(provided(answer)).toEqual(['X-Odd-CASE: Kept', 'Content-Length: 2']);
      expect(answer.body.toString()).toBe('ok');
    },
  );

  it.each(['vertex-ai', 'openai'])(
    'is forwarded without the setting of Vertex AI, whose header name has no prefix: %s',
    async (id) => {
      answerWith('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
      const own = [`x-gw-provider: ${id}`, 'authorization: Bearer own', `x-gw-custom-host: ${upstream.origin}`];
      const cloud = ['x-gw-cloudb-project-id: p', 'x-gw-cloudb-region: global', 'X-Cloudb-LLM-Request-Type: shared'];
      await rawHttp(gateway.origin, { method: 'GET', path: '/v1/endpoints', lines: [...own, ...cloud] });
      const request = upstream.requests.at(-1);
      expect(request?.header('x-cloudb-llm-request-type')).toBeUndefined();
      expect(request?.header('x-vertex-ai-llm-request-type')).toBe(id === 'vertex-ai' ? 'shared' : undefined);
    },
  );

  it('is forwarded with HEAD, and its answer keeps the length of the omitted body', async () => {
    answerWith('HTTP/1.1 200 OK\r\nContent-Length: 12345\r\nETag: "a"\r\n\r\n');
    const answer = await send({ method: 'HEAD', path: '/v1/files/f1' });
    expect(upstream.requests.at(-1)?.method).toBe('HEAD');
    expect(provided(answer)).toEqual(['Content-Length: 12345', 'ETag: "a"']);
    expect(answer.body).toHaveLength(0);
  });

  it('gets a 304 unchanged', async () => {
    answerWith('HTTP/1.1 304 Not Modified\r\nETag: "a"\r\nContent-Length: 99\r\n\r\n');
    const answer = await send({ method: 'GET', path: '/v1/files/f1', lines: ['If-None-Match: "a"'] });
    expect(upstream.requests.at(-1)?.header('if-none-match')).toBe('"a"');
    expect(answer.statusLine).toMatch(/^HTTP\/1\.1 304 /);
    expect(provided(answer)).toContain('ETag: "a"');
    expect(answer.body).toHaveLength(0);
  });

  it('gets a 204 without the length of a body, which it cannot have', async () => {
    for (const framing of ['Content-Length: 10', 'Transfer-Encoding: chunked']) {
      answerWith(`HTTP/1.1 204 No Content\r\nETag: "a"\r\n${framing}\r\n\r\n`);
      const answer = await send({ method: 'DELETE', path: '/v1/files/f1' });
      expect(answer.statusLine).toMatch(/^HTTP\/1\.1 204 /);
      expect(provided(answer)).toEqual(['ETag: "a"']);
    }
  });

  it('gets a redirect unchanged, which the gateway does not follow', async () => {
    const before = upstream.requests.length;
    answerWith('HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/elsewhere\r\nContent-Length: 0\r\n\r\n');
    const answer = await send({ method: 'GET', path: '/v1/files/f1/content' });
    expect(answer.statusLine).toMatch(/^HTTP\/1\.1 302 /);
    expect(provided(answer)).toEqual(['Location: http://127.0.0.1:1/elsewhere', 'Content-Length: 0']);
    expect(upstream.requests.length).toBe(before + 1);
  });

  it('gets a gzip answer still compressed, because it accepts gzip', async () => {
    const zipped = gzipSync('a text that is long enough to zip '.repeat(20));
    answerWith(
      `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Type: text/plain\r\nContent-Length: ${zipped.length}\r\n\r\n`,
      zipped,
    );
    const answer = await send({ method: 'GET', path: '/v1/files/f1/content', lines: ['Accept-Encoding: gzip, br'] });
    expect(upstream.requests.at(-1)?.header('accept-encoding')).toBe('gzip, br');
    expect(provided(answer)).toContain('Content-Encoding: gzip');
    expect(answer.body.equals(zipped)).toBe(true);
  });

  it('gets bytes of every value unchanged', async () => {
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, at) => (at * 31) % 256));
    answerWith(`HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\nContent-Length: ${bytes.length}\r\n\r\n`, bytes);
    expect((await send({ method: 'GET', path: '/v1/audio/x' })).body.equals(bytes)).toBe(true);
  });

  it('keeps repeated headers apart and in order', async () => {
    answerWith('HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nX-Between: x\r\nSet-Cookie: b=2\r\nContent-Length: 0\r\n\r\n');
    const answer = await send({ method: 'GET', path: '/v1/things' });
    expect(provided(answer)).toEqual(['Set-Cookie: a=1', 'X-Between: x', 'Set-Cookie: b=2', 'Content-Length: 0']);
  });

  it('fails if the upstream breaks off its answer', async () => {
    upstream.handle((call) =>
      call.answer({ headers: { 'content-length': '100' }, body: 'x'.repeat(100), cutAfter: 120 }),
    );
    const broken = await fetch(`${gateway.baseUrl}/files/f1/content`, { headers: { 'x-gw-config': config() } })
      .then((answer) => answer.text())
      .catch((error: Error) => error);
    expect(broken).toBeInstanceOf(Error);
  });

  it('carries the credential of the target, not that of the client, and no header of the gateway', async () => {
    answerWith('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    await send({
      method: 'GET',
      path: '/v1/models',
      lines: [
        'Authorization: Bearer of-the-client',
        'X-GW-Trace-ID: t',
        'x-Gw-Metadata: {}',
        'Connection: X-Hop',
        'X-Hop: 1',
        'Keep-Alive: 5',
      ],
    });
    const head = upstream.requests.at(-1)?.head ?? '';
    expect(head).toMatch(/authorization: Bearer callers-own-key/i);
    expect(head).not.toContain('of-the-client');
    expect(head.toLowerCase()).not.toContain('x-gw-');
    expect(head.toLowerCase()).not.toContain('x-hop');
  });
});

describe('a passed-through body, if the config has overrides', () => {
  const text = '{ "model" : "theirs", "seed": 1.50, "input": "\\u00e9" }';
  const spliced = '{"user":"u", "model" : "ours", "seed": 1.50, "input": "\\u00e9" }';
  const put = async (
    body: string | Buffer,
    { method = 'POST', lines = [] }: { readonly method?: string; readonly lines?: readonly string[] } = {},
  ): Promise<RawAnswer> => {
    upstream.handle((call) => call.json({}));
    const overriding = JSON.stringify({ ...JSON.parse(config()), override_params: { model: 'ours', user: 'u' } });
    return rawHttp(gateway.origin, {
      method,
      path: '/v1/assistants',
      lines: [`x-gw-config: ${overriding}`, ...lines],
      body: Buffer.from(body),
    });
  };
  const received = (): string | undefined => upstream.requests.at(-1)?.body.toString();

  it.each(['POST', 'PUT', 'PATCH'])(
    'has the overrides spliced in with %s, and is otherwise unchanged',
    async (method) => {
      for (const type of ['application/json', 'application/vnd.x+json; charset=utf-8', 'text/plain', 'image/png']) {
        expect((await put(text, { method, lines: [`content-type: ${type}`] })).statusLine).toContain(' 200 ');
        expect(received()).toBe(spliced);
        expect(upstream.requests.at(-1)?.header('content-type')).toBe(type);
      }
      expect((await put(`\r\n \t${text}`, { method })).statusLine).toContain(' 200 ');
      expect(received()).toBe(`\r\n \t${spliced}`);
    },
  );

  it('has the overrides spliced in even if it is encoded, and is forwarded without the encoding', async () => {
    for (const [encoding, bytes] of [
      ['gzip', gzipSync(text)],
      ['BR', brotliCompressSync(text)],
    ] as const) {
      await put(bytes, { lines: ['content-type: application/json', `Content-Encoding: ${encoding}`] });
      expect(received()).toBe(spliced);
      expect(upstream.requests.at(-1)?.head).not.toMatch(/content-encoding/i);
    }
  });

  it.each([
    ['a list', '[{"model":"theirs"}]', ['content-type: application/json']],
    ['a string', '"model"', ['content-type: application/json']],
    ['a form', '--x\r\ncontent-disposition: form-data; name="model"\r\n\r\ntheirs\r\n--x--', []],
    ['nothing', '', []],
  ])('stays unchanged if it is %s', async (_, body, lines) => {
    expect((await put(body, { lines })).statusLine).toContain(' 200 ');
    expect(received()).toBe(body);
  });

  it('stays unchanged with another method', async () => {
    await put(text, { method: 'DELETE', lines: ['content-type: application/json'] });
    expect(received()).toBe(text);
  });

  it('is streamed, whatever its size, if it does not begin as an object', async () => {
    const bytes = Buffer.alloc(40 * 1024 * 1024, 'x');
    expect((await put(bytes, { lines: ['content-type: multipart/form-data; boundary=x'] })).statusLine).toContain(
      ' 200 ',
    );
    expect(upstream.requests.at(-1)?.body.equals(bytes)).toBe(true);
  });

  it('is refused if it begins like an object but is not valid', async () => {
    const before = upstream.requests.length;
    expect((await put('{"model":"theirs"')).statusLine).toContain(' 400 ');
    expect(upstream.requests.length).toBe(before);
  });

  it.each([
    ['a byte order mark', Buffer.from(`\ufeff${text}`)],
    ['UTF-16', Buffer.from(text, 'utf16le')],
    ['UTF-16 and a byte order mark', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['big-endian UTF-16', Buffer.from(text, 'utf16le').swap16()],
    ['big-endian UTF-16 and a byte order mark', Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
    ['UTF-32', Buffer.from(Array.from(text, (sign) => [0, 0, 0, sign.charCodeAt(0)]).flat())],
  ])('is refused if only other JSON parsers may read it as an object: with %s', async (_, body) => {
    const before = upstream.requests.length;
    for (const lines of [['content-type: application/json'], []])
      expect((await put(body, { lines })).statusLine).toContain(' 400 ');
    expect(upstream.requests.length).toBe(before);
  });

  it('is refused if several header lines specify its encoding', async () => {
    const before = upstream.requests.length;
    for (const [first, second] of [
      ['gzip', 'identity'],
      ['identity', 'gzip'],
      ['gzip', 'gzip'],
    ]) {
      const lines = ['content-type: application/json', `content-encoding: ${first}`, `content-encoding: ${second}`];
      expect((await put(gzipSync(text), { lines })).statusLine).toContain(' 415 ');
    }
    expect(upstream.requests.length).toBe(before);
  });

  it('is streamed if it contains only zero bytes', async () => {
    const bytes = Buffer.alloc(40 * 1024 * 1024);
    expect((await put(bytes)).statusLine).toContain(' 200 ');
    expect(upstream.requests.at(-1)?.body.equals(bytes)).toBe(true);
  });

  it('is not parsed if the config has no overrides', async () => {
    upstream.handle((call) => call.json({}));
    for (const [body, lines] of [
      ['{"model":', ['content-type: application/json']],
      [gzipSync(text), ['content-type: application/json', 'content-encoding: gzip']],
    ] as const) {
      await send({ method: 'POST', path: '/v1/assistants', lines, body: Buffer.from(body) });
      expect(upstream.requests.at(-1)?.body.equals(Buffer.from(body))).toBe(true);
    }
    expect(upstream.requests.at(-1)?.header('content-encoding')).toBe('gzip');
  });
});

describe('an encoded body of an operation', () => {
  const body = '{"model":"m","messages":[{"role":"user","content":"hi"}]}';
  const converse = (bytes: Buffer, encoding: string): Promise<RawAnswer> => {
    upstream.handle((call) => call.json({}));
    return send({
      method: 'POST',
      path: '/v1/chat/completions',
      lines: ['content-type: application/json', `content-encoding: ${encoding}`],
      body: bytes,
    });
  };

  it('is decoded before it reaches the provider', async () => {
    for (const [encoding, bytes] of [
      ['gzip', gzipSync(body)],
      ['br', brotliCompressSync(body)],
      ['identity', Buffer.from(body)],
    ] as const) {
      await converse(bytes, encoding);
      const request = upstream.requests.at(-1);
      expect([request?.body.toString(), request?.header('content-encoding')]).toEqual([body, undefined]);
    }
  });

  it.each([
    ['that the gateway does not know', Buffer.from(body), 'compress', ' 415 '],
    ['that consists of two', gzipSync(gzipSync(body)), 'gzip, gzip', ' 415 '],
    ['that its bytes do not have', Buffer.from(body), 'gzip', ' 400 '],
    ['that is cut off', gzipSync(body).subarray(0, 20), 'gzip', ' 400 '],
    ['that expands to 64 MB', gzipSync(Buffer.alloc(64 * 1024 * 1024)), 'gzip', ' 413 '],
  ])('with an encoding %s is refused', async (_, bytes, encoding, status) => {
    const before = upstream.requests.length;
    expect((await converse(bytes, encoding)).statusLine).toContain(status);
    expect(upstream.requests.length).toBe(before);
  });
});
