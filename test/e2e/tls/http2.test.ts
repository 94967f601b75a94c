import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { request as requestHttps } from 'node:https';
import { createServer, type Socket } from 'node:net';
import { connect } from 'node:tls';
import { promisify } from 'node:util';
import OpenAI from 'openai';
import { Agent, fetch as fetchUndici } from 'undici';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { patience } from '../../support/run/patience.ts';
import { hasOpenssl } from '../../support/servers/certificates.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { chat, chatHead, connectHttp2, type Http2Client, readAnswer } from './support/http2-client.ts';
import { endHeaders, frames, preface, toFrame, toSection } from './support/raw-frames.ts';
import { sharedTlsGateway, startTlsGateway, type TlsGateway, type TlsGatewayStart } from './support/tls-gateway.ts';

interface World extends TlsGateway, Http2Client {
  readonly upstream: TestUpstream;
  /** The config that makes the upstream an OpenAI provider. */
  readonly config: string;
}

/** For tests that need no other gateway. */
const shared = sharedTlsGateway({ settings: { trusted_hosts: ['127.0.0.1'] } });

/** Connects to the shared gateway, or to a separate one. */
const connectWorld = async (start?: TlsGatewayStart): Promise<World> => {
  const [tls, upstream] = await Promise.all([start === undefined ? shared() : startTlsGateway(start), startUpstream()]);
  onTestFinished(() => upstream.close());
  const client = await connectHttp2(tls.gateway.origin, { ca: tls.authority.pem, maxSendHeaderBlockLength: 1_000_000 });
  const config = JSON.stringify({ provider: 'openai', api_key: 'sk', custom_host: `${upstream.origin}/v1` });
  return { ...tls, ...client, upstream, config };
};

const whole = {
  ...{ id: 'c', object: 'chat.completion', created: 1, model: 'm' },
  choices: [{ index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }],
};

const part = (content: string) => ({
  ...{ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' },
  choices: [{ index: 0, delta: { content }, finish_reason: null }],
});

describe.skipIf(!hasOpenssl)('a request over HTTP/2', () => {
  it('is answered as over HTTP/1.1, without connection headers', async () => {
    const { ask } = await connectWorld();
    const { status, headers, text } = await ask(chatHead(), chat());
    expect(status).toBe(200);
    expect(JSON.parse(text).choices[0].message.content).toBe('Hello!');
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-gw-provider': 'echo' });
    expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['connection']));
    expect(headers['content-length']).toBe(String(Buffer.byteLength(text)));
    expect((await ask({ ':path': '/livez' })).text).toBe('alive\n');
    expect((await ask({ ':path': '/livez', ':method': 'HEAD' })).text).toBe('');
    expect((await ask({ ':path': '/livez', ':method': 'OPTIONS' })).status).toBe(204);
    expect((await ask({ ':path': '/nowhere' })).status).toBe(404);
  });

  it('may come from a page of another origin that the gateway file lists', async () => {
    const origin = 'https://app.example.com';
    const { ask } = await connectWorld({ settings: { trusted_hosts: ['127.0.0.1'], cors: { origins: [origin] } } });
    const asked = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-gw-config' };
    const { ':path': path } = chatHead();
    const preflight = await ask({ ':path': path, ':method': 'OPTIONS', ...asked });
    expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([204, origin]);
    const { status, headers } = await ask({ ...chatHead(), origin }, chat());
    expect([status, headers['access-control-allow-origin'], headers.vary]).toEqual([200, origin, 'origin']);
    const other = await ask({ ...chatHead(), origin: 'https://localhost' }, chat());
    expect([other.status, other.headers['access-control-allow-origin']]).toEqual([200, undefined]);
  });

  it('reaches its provider with its headers, and without anything of HTTP/2', async () => {
    const { ask, upstream, config } = await connectWorld();
    upstream.handle(({ answer }) =>
      answer({ headers: ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'X-One', 'é'], body: 'ok' }),
    );
    const head = {
      ...{ ':method': 'POST', ':path': '/v1/unknown/path?q=1', 'x-gw-config': config },
      ...{ 'content-type': 'text/plain', cookie: ['a=1', 'b=2'], 'x-mine': 'x', te: 'trailers' },
    };
    const { status, headers, text } = await ask(head, 'a body');
    expect([status, text]).toEqual([200, 'ok']);
    expect(headers['set-cookie']).toEqual(['a=1', 'b=2']);
    const [received] = upstream.requests;
    expect(received).toMatchObject({ method: 'POST', path: '/v1/unknown/path?q=1' });
    expect(String(received?.body)).toBe('a body');
    const lines = received?.rawHeaders ?? [];
    const names = lines.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
    expect(names.filter((name) => name.startsWith(':') || name.startsWith('x-gw-') || name === 'te')).toEqual([]);
    expect(received?.header('cookie')).toBe('a=1; b=2');
    expect(names).toContain('x-mine');
  });

  it.each(['constructor', '__proto__'])('gets the header %s of its provider like any other', async (name) => {
    const { ask, upstream, config } = await connectWorld();
    upstream.handle(({ answer }) => answer({ headers: [name, 'one', 'X-Other', 'two'], body: 'ok' }));
    const { headers } = await ask({ ':path': '/v1/unknown', 'x-gw-config': config });
    expect(Object.entries(headers)).toEqual(
      expect.arrayContaining([
        [name, 'one'],
        ['x-other', 'two'],
      ]),
    );
  });

  it('streams events as they arrive, and ends after them', async () => {
    const { open, upstream, config } = await connectWorld();
    const next = Promise.withResolvers<void>();
    upstream.handle(async ({ sse }) => {
      const events = sse();
      events.frame(part('one'));
      await next.promise;
      events.frame(part('two'));
      events.done();
    });
    const stream = open(chatHead({ 'x-gw-config': config }));
    stream.end(chat({ stream: true }));
    let text = '';
    stream.setEncoding('utf8').on('data', (data: string) => {
      text += data;
    });
    await vi.waitFor(() => expect(text).toContain('one'), patience);
    expect(text).not.toContain('two');
    next.resolve();
    await once(stream, 'close');
    expect(text).toContain('two');
    expect(text).toMatch(/data: \[DONE\]\n\n$/);
    expect(stream.rstCode).toBe(0);
  });

  it('is cancelled at the provider if its client resets it, while others on its connection continue', async () => {
    const { open, ask, upstream, config } = await connectWorld();
    const called = Promise.withResolvers<{ readonly gone: Promise<void> }>();
    upstream.handle(({ sse, gone }) => {
      sse().frame(part('one'));
      called.resolve({ gone });
    });
    const stream = open(chatHead({ 'x-gw-config': config }));
    stream.end(chat({ stream: true }));
    await once(stream, 'response');
    const { gone } = await called.promise;
    stream.close(8);
    await gone;
    expect((await ask(chatHead(), chat())).status).toBe(200);
  });

  it("is cancelled at the provider if its client's connection is lost", async () => {
    const { open, session, upstream, config } = await connectWorld();
    const called = Promise.withResolvers<{ readonly gone: Promise<void> }>();
    upstream.handle(({ gone }) => called.resolve({ gone }));
    const stream = open(chatHead({ 'x-gw-config': config }));
    stream.on('error', () => {});
    stream.end(chat());
    const { gone } = await called.promise;
    session.destroy();
    await gone;
  });

  it('is reset if the provider breaks off its answer', async () => {
    const { open, upstream, config } = await connectWorld();
    upstream.handle(({ answer }) =>
      answer({
        headers: { 'content-length': '100000', 'content-type': 'application/octet-stream' },
        body: 'x'.repeat(100_000),
        cutAfter: 60_000,
      }),
    );
    const stream = open({ ':path': '/v1/unknown/path', 'x-gw-config': config }, { endStream: true });
    await expect(readAnswer(stream)).rejects.toThrow();
    expect(stream.rstCode).not.toBe(0);
  });

  it('is not read from the provider faster than its client reads', async () => {
    const { open, upstream, config } = await connectWorld();
    const blocked = Promise.withResolvers<void>();
    const total = 64 * 1024 * 1024;
    upstream.handle(async ({ raw, drained }) => {
      raw(`HTTP/1.1 200 OK\r\ncontent-type: application/octet-stream\r\ncontent-length: ${total}\r\n\r\n`);
      const chunk = Buffer.alloc(1024 * 1024);
      for (let sent = 0; sent < total; sent += chunk.length) {
        if (raw(chunk)) continue;
        const wait = drained();
        const isStuck = await Promise.race([
          wait.then(() => false),
          new Promise((done) => setTimeout(done, 500, true)),
        ]);
        if (isStuck) blocked.resolve();
        await wait;
      }
    });
    const stream = open({ ':path': '/v1/unknown/path', 'x-gw-config': config }, { endStream: true });
    await once(stream, 'response');
    await blocked.promise;
    let received = 0;
    stream.on('data', (data: Buffer) => {
      received += data.length;
    });
    await once(stream, 'close');
    expect([received, stream.rstCode]).toEqual([total, 0]);
  });

  it('is not received faster than its provider accepts it, and other requests are served meanwhile', async () => {
    const { open, ask } = await connectWorld();
    const total = 64 * 1024 * 1024;
    let received = 0;
    let isAnswered = false;
    const accepted = Promise.withResolvers<Socket>();
    const slow = createServer((socket) => {
      socket.on('data', (data) => {
        received += data.length;
        if (received < total || isAnswered) return;
        isAnswered = true;
        socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok');
      });
      socket.pause();
      accepted.resolve(socket);
    });
    await once(slow.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void slow.close());
    const address = slow.address();
    const custom_host = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1`;
    const config = JSON.stringify({ provider: 'openai', api_key: 'k', custom_host });
    const head = { ':method': 'PUT', ':path': '/v1/unknown', 'x-gw-config': config };
    const stream = open({ ...head, 'content-type': 'application/octet-stream', 'content-length': `${total}` });
    const answer = readAnswer(stream);
    let sent = 0;
    const chunk = Buffer.alloc(1024 * 1024);
    const send = (): void => {
      if (sent === total) stream.end();
      else
        stream.write(chunk, () => {
          sent += chunk.length;
          send();
        });
    };
    send();
    const socket = await accepted.promise;
    let before = -1;
    await vi.waitFor(
      () => {
        const isStuck = sent === before;
        before = sent;
        expect(isStuck).toBe(true);
      },
      { ...patience, interval: 500 },
    );
    expect(sent).toBeLessThan(total / 2);
    expect((await ask(chatHead(), chat())).status).toBe(200);
    socket.resume();
    expect([(await answer).text, sent]).toEqual(['ok', total]);
  });

  it.each([0, 8])(
    'never reaches a provider as complete if its client resets it with %i within the body',
    async (code) => {
      const { gateway, authority } = shared();
      let received = '';
      const accepted = Promise.withResolvers<void>();
      const ended = Promise.withResolvers<void>();
      const provider = createServer((socket) => {
        socket.on('error', () => {});
        socket.on('close', () => ended.resolve());
        socket.on('data', (data) => {
          received += data;
          if (received.includes('the beginning')) accepted.resolve();
        });
      });
      await once(provider.listen(0, '127.0.0.1'), 'listening');
      onTestFinished(() => void provider.close());
      const address = provider.address();
      const custom_host = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1`;
      const config = JSON.stringify({ provider: 'openai', api_key: 'k', custom_host });
      // A Node client ends a body before it resets it.
      const socket = connect({
        ...{ port: Number(new URL(gateway.origin).port), host: '127.0.0.1', servername: 'localhost' },
        ...{ ca: authority.pem, ALPNProtocols: ['h2'] },
      });
      onTestFinished(() => void socket.destroy());
      await once(socket.resume(), 'secureConnect');
      const head = { ':method': 'PUT', ':scheme': 'https', ':path': '/v1/unknown', ':authority': 'localhost' };
      const section = toSection({ ...head, 'x-gw-config': config, 'content-type': 'text/plain' });
      socket.write(preface);
      socket.write(toFrame({ type: frames.settings }));
      socket.write(toFrame({ type: frames.headers, flags: endHeaders, stream: 1, payload: section }));
      socket.write(toFrame({ type: frames.data, stream: 1, payload: Buffer.from('the beginning') }));
      await accepted.promise;
      socket.write(toFrame({ type: frames.reset, stream: 1, payload: Buffer.from([0, 0, 0, code]) }));
      await ended.promise;
      expect(received).toContain('transfer-encoding: chunked');
      expect(received).not.toContain('\r\n0\r\n');
    },
  );

  it('can have a body of any length, announced or not', async () => {
    const { open, ask, upstream, config } = await connectWorld();
    upstream.handle(({ request, json }) => json({ ...whole, bytes: request.body.length }));
    const content = 'x'.repeat(5_000_000);
    const messages = [{ role: 'user', content }];
    const { status, text } = await ask(chatHead({ 'x-gw-config': config }), chat({ messages }));
    expect([status, JSON.parse(text).bytes > 5_000_000]).toEqual([200, true]);
    const streamed = open({
      ':method': 'PUT',
      ':path': '/v1/unknown',
      'x-gw-config': config,
      'content-type': 'application/octet-stream',
    });
    const answer = readAnswer(streamed);
    for (let at = 0; at < 50; at += 1) streamed.write(Buffer.alloc(100_000));
    streamed.end();
    expect(JSON.parse((await answer).text).bytes).toBe(5_000_000);
  });

  it('gets answers of any length, also concurrently', async () => {
    const { ask, upstream, config } = await connectWorld();
    const content = 'y'.repeat(500_000);
    upstream.handle(({ json }) =>
      json({ ...whole, choices: [{ ...whole.choices[0], message: { role: 'assistant', content } }] }),
    );
    const answers = await Promise.all(
      Array.from({ length: 32 }, () => ask(chatHead({ 'x-gw-config': config }), chat())),
    );
    expect(answers.map(({ status, text }) => status === 200 && text.length > content.length)).toEqual(
      answers.map(() => true),
    );
  });

  it('is rejected if its body is or will be too long', async () => {
    const { open, ask } = await connectWorld({ settings: { limits: { body_bytes: 10_000 } } });
    const messages = [{ role: 'user', content: 'x'.repeat(20_000) }];
    expect((await ask(chatHead(), chat({ messages }))).status).toBe(413);
    const announced = open(chatHead({ 'content-length': '20000', expect: '100-continue' }));
    let isContinued = false;
    announced.on('continue', () => {
      isContinued = true;
    });
    const answer = await readAnswer(announced);
    expect([answer.status, isContinued]).toEqual([413, false]);
    expect((await ask(chatHead(), chat())).status).toBe(200);
  });

  it('is logged once if its body is too long', async () => {
    const start = { settings: { limits: { body_bytes: 10_000 } }, env: { GW_LOG: 'requests' } };
    const { ask, gateway } = await connectWorld(start);
    const messages = [{ role: 'user', content: 'x'.repeat(300_000) }];
    expect((await ask(chatHead(), chat({ messages }))).status).toBe(413);
    expect((await ask(chatHead(), chat())).status).toBe(200);
    const statuses = (): readonly unknown[] => gateway.records().map(({ status }) => status);
    await expect.poll(statuses).toContain(200);
    expect(statuses()).toEqual([413, 200]);
  });

  it('gets 100 Continue if it expects it', async () => {
    const { open } = await connectWorld();
    const stream = open(chatHead({ expect: '100-continue' }));
    const answer = readAnswer(stream);
    await once(stream, 'continue');
    stream.end(chat());
    expect((await answer).status).toBe(200);
  });

  it('is rejected if its header section is too long', async () => {
    const { ask } = await connectWorld();
    const { status, text } = await ask(chatHead({ 'x-long': 'x'.repeat(70_000) }), chat());
    expect([status, JSON.parse(text).error.code]).toEqual([431, 'header-too-large']);
    expect((await ask(chatHead({ 'x-long': 'x'.repeat(50_000) }), chat())).status).toBe(200);
  });

  it('must name one host, which without service keys must be this machine', async () => {
    const { ask } = await connectWorld();
    expect((await ask(chatHead({ ':authority': 'evil.example' }), chat())).status).toBe(403);
    const two = await ask(chatHead({ ':authority': 'localhost', host: 'evil.example' }), chat());
    expect([two.status, JSON.parse(two.text).error.message]).toEqual([400, expect.stringContaining('host')]);
    expect((await ask(chatHead({ ':authority': 'localhost', host: 'localhost' }), chat())).status).toBe(200);
  });

  it('cannot open a tunnel', async () => {
    const { ask, open } = await connectWorld();
    const { status } = await ask({ ':method': 'CONNECT', ':authority': 'localhost:443' });
    expect(status).toBe(405);
    const extended = open({ ':method': 'CONNECT', ':protocol': 'websocket', ':scheme': 'https', ':path': '/v1/x' });
    await expect(readAnswer(extended)).rejects.toThrow();
  });

  it.each(['post', 'Post', 'POSTED'])('is rejected with the unknown method %s', async (method) => {
    const { ask, upstream, config } = await connectWorld();
    const { status, text } = await ask(chatHead({ ':method': method, 'x-gw-config': config }), chat());
    expect([status, JSON.parse(text).error.message]).toEqual([405, expect.stringContaining(method)]);
    expect(upstream.requests).toHaveLength(0);
  });

  it('gets x-gw-continued as a trailer if another target continues its stream', async () => {
    const { open, upstream } = await connectWorld();
    let calls = 0;
    upstream.handle(({ sse }) => {
      calls += 1;
      const events = sse();
      if (calls === 1) {
        events.frame(part('one '));
        events.cut();
      } else {
        events.frame(part('two'));
        events.frame({ ...part(''), choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
        events.done();
      }
    });
    const target = { provider: 'openai', api_key: 'sk', custom_host: `${upstream.origin}/v1` };
    const config = { strategy: { mode: 'fallback', continue: true }, targets: [target, { ...target, api_key: 'sk2' }] };
    const stream = open(chatHead({ te: 'trailers', 'x-gw-config': JSON.stringify(config) }));
    stream.end(chat({ stream: true }));
    const { headers, trailers, text } = await readAnswer(stream);
    expect(headers.trailer).toBe('x-gw-continued');
    expect(text).toContain('two');
    expect(trailers['x-gw-continued']).toBeDefined();
  });
});

describe.skipIf(!hasOpenssl)('an HTTP/2 connection', () => {
  it('has at most 32 requests in flight', async () => {
    const { ask, upstream, config } = await connectWorld();
    const release = Promise.withResolvers<void>();
    upstream.handle(async ({ json }) => {
      await release.promise;
      json(whole);
    });
    const answers = Array.from({ length: 80 }, () => ask(chatHead({ 'x-gw-config': config }), chat()));
    await vi.waitFor(() => expect(upstream.requests).toHaveLength(32), patience);
    release.resolve();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(answers.map(() => 200));
  });

  it('is closed with GOAWAY on shutdown: immediately if it is idle, and otherwise after its last answer', async () => {
    const { ask, session, gateway, authority, upstream, config } = await connectWorld({});
    const idle = await connectHttp2(gateway.origin, { ca: authority.pem });
    const release = Promise.withResolvers<void>();
    upstream.handle(async ({ json }) => {
      await release.promise;
      json(whole);
    });
    const goaway = once(session, 'goaway');
    const answer = ask(chatHead({ 'x-gw-config': config }), chat());
    await vi.waitFor(() => expect(upstream.requests).toHaveLength(1), patience);
    const idleEnds = once(idle.session, 'close');
    gateway.signal('SIGTERM');
    await idleEnds;
    const [code] = await goaway;
    expect(code).toBe(0);
    release.resolve();
    expect((await answer).status).toBe(200);
    expect(await gateway.exited).toBe(0);
  });

  it('is served while the gateway waits for load balancers, and gets GOAWAY', async () => {
    const { ask, session, gateway } = await connectWorld({ drainDelay: true });
    gateway.signal('SIGTERM');
    const goaway = once(session, 'goaway');
    await vi.waitFor(async () => expect((await ask({ ':path': '/readyz' })).status).toBe(503), patience);
    await goaway;
    expect(await gateway.exited).toBe(0);
  });

  it('is aborted with its requests when the drain time is over', async () => {
    const { open, gateway, upstream, config } = await connectWorld({ args: ['--drain-ms', '100'] });
    upstream.handle(() => {});
    const stream = open(chatHead({ 'x-gw-config': config }));
    stream.end(chat());
    const answer = readAnswer(stream);
    answer.catch(() => {});
    await vi.waitFor(() => expect(upstream.requests).toHaveLength(1), patience);
    gateway.signal('SIGTERM');
    await expect(answer).rejects.toThrow();
    expect(await gateway.exited).toBe(0);
  });
});

describe.skipIf(!hasOpenssl)('over TLS,', () => {
  it('the SDK of OpenAI is served, streaming or not', async () => {
    const { gateway, authority } = shared();
    const dispatcher = new Agent({ connect: { ca: authority.pem }, allowH2: true });
    onTestFinished(() => dispatcher.close());
    const sdk = new OpenAI({
      apiKey: 'none',
      baseURL: gateway.baseUrl,
      defaultHeaders: { 'x-gw-provider': 'echo' },
      fetch: ((url: string, init: object) => fetchUndici(url, { ...init, dispatcher })) as unknown as typeof fetch,
    });
    const answer = await sdk.chat.completions.create({ model: 'echo', messages: [{ role: 'user', content: 'Hi!' }] });
    expect(answer.choices[0]?.message.content).toBe('Hi!');
    const stream = await sdk.chat.completions.create({
      model: 'echo',
      stream: true,
      messages: [{ role: 'user', content: 'Hi!' }],
    });
    let text = '';
    for await (const { choices } of stream) text += choices[0]?.delta.content ?? '';
    expect(text).toBe('Hi!');
  });

  it('many concurrent requests on one connection are all served', async () => {
    const { gateway, authority } = shared();
    const dispatcher = new Agent({ connect: { ca: authority.pem }, allowH2: true, connections: 1, pipelining: 100 });
    onTestFinished(() => dispatcher.close());
    const headers = { 'content-type': 'application/json', 'x-gw-provider': 'echo' };
    const statuses = await Promise.all(
      Array.from({ length: 200 }, async () => {
        const init = { method: 'POST', headers, body: chat(), dispatcher };
        const response = await fetchUndici(`${gateway.baseUrl}/chat/completions`, init);
        await response.text();
        return response.status;
      }),
    );
    expect(statuses).toEqual(statuses.map(() => 200));
  });

  it('clients that support only HTTP/1.1 are served on the same port', async () => {
    const { gateway, authority } = shared();
    const answered = new Promise<string | undefined>((resolve, reject) => {
      requestHttps(`${gateway.origin}/livez`, { ca: authority.pem }, ({ httpVersion, statusCode }) =>
        resolve(`${httpVersion} ${statusCode}`),
      )
        .on('error', reject)
        .end();
    });
    expect(await answered).toBe('1.1 200');
  });

  it.skipIf(spawnSync('curl', ['--version']).stdout?.includes('HTTP2') !== true)(
    'curl is served over HTTP/2',
    async () => {
      const { gateway, authority } = shared();
      const args = [
        '-sS',
        '--http2',
        '--cacert',
        authority.file,
        '-w',
        '%{http_version} %{http_code}',
        '-H',
        'expect: 100-continue',
      ];
      const { stdout } = await promisify(execFile)('curl', [
        ...args,
        ...['-H', 'x-gw-provider: echo', '-H', 'content-type: application/json', '-d', chat()],
        `${gateway.baseUrl}/chat/completions`,
      ]);
      expect(stdout).toMatch(/"Hello!".*2 200$/s);
    },
  );
});
