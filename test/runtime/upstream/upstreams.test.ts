import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { Client } from 'undici';
import { describe, expect, it } from 'vitest';
import type { UpstreamsOptions } from '../../../runtime/upstream/upstreams.ts';
import { startUpstream } from '../../support/servers/upstream-server.ts';
import { answered, cancelSource, failed, get, post, recordingSink, toScope } from '../streams/kit.ts';
import { closeAfterTest, setUp } from './kit.ts';

const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

describe('a request', () => {
  it('is sent with its headers in their order and spelling, and without headers of undici', async () => {
    const { server, upstream } = await setUp((call) => call.json({ ok: true }));
    const headers = ['X-Zeta', '1', 'aCCept', '*/*', 'x-alpha', 'a', 'X-Zeta', '2', 'Content-Type', 'text/plain'];
    await upstream.send(post(server.origin, 'hello', headers), toScope());
    const [request] = server.requests;
    expect(request?.head).toBe(
      [
        'POST /v1/things?x=1 HTTP/1.1',
        `host: 127.0.0.1:${server.port}`,
        'connection: keep-alive',
        'X-Zeta: 1',
        'aCCept: */*',
        'x-alpha: a',
        'X-Zeta: 2',
        'Content-Type: text/plain',
        'content-length: 5',
        '\r\n',
      ].join('\r\n'),
    );
    expect(request?.text()).toBe('hello');
  });

  it('carries 2 MB unchanged', async () => {
    const { server, upstream } = await setUp((call) => call.json({}));
    const body = randomBytes(2_000_000);
    answered(await upstream.send(post(server.origin, body), toScope()));
    expect(digest(server.requests[0]?.body ?? Buffer.alloc(0))).toBe(digest(body));
  });

  it('streams a body of unknown length', async () => {
    const { server, upstream } = await setUp((call) => call.json({}));
    const stream = Readable.from([Buffer.from('one,'), Buffer.from('two')], { objectMode: false });
    await upstream.send({ ...post(server.origin, ''), body: { kind: 'stream', stream } }, toScope());
    expect(server.requests[0]?.text()).toBe('one,two');
  });

  it('that cannot be written is a failure that reveals no value', async () => {
    const { server, upstream } = await setUp((call) => call.json({}));
    const answer = await upstream.send(get(server.origin, '/', ['authorization', 'sk-secret\nx']), toScope());
    expect(failed(answer)).toMatchObject({ code: 'connection-failed', status: 502 });
    expect(failed(answer).message).not.toContain('sk-secret');
    answered(await upstream.send(get(server.origin), toScope()));
  });
});

describe('an answer', () => {
  it('keeps its headers in their order and spelling', async () => {
    const { server, upstream } = await setUp((call) =>
      call.answer({ status: 201, headers: ['X-Odd-CASE', 'Ünï', 'set-Cookie', 'a', 'Set-Cookie', 'b'], body: '' }),
    );
    const answer = answered(await upstream.send(get(server.origin), toScope()));
    expect(answer.status).toBe(201);
    expect(answer.headers).toEqual([
      ...['X-Odd-CASE', 'Ünï', 'set-Cookie', 'a', 'Set-Cookie', 'b'],
      ...['content-length', '0'],
    ]);
  });

  it.each([
    ['a few lines', 1],
    ['32 KB', 640],
  ])('keeps %s of headers, no matter how they are split into packets', async (_, times) => {
    const { server, upstream } = await setUp(async (call) => {
      for (const part of call.request.path.slice(1).split(',').map(Number)) {
        call.raw(head.subarray(sent, part));
        sent = part;
        await call.drained();
        await new Promise((resolve) => setImmediate(resolve));
      }
      call.raw(head.subarray(sent));
    });
    const lines = Array.from({ length: times }, (_line, at) => [`X-Line-${at}`, `${'v'.repeat(32)} é ${at}`]).flat();
    const written = lines.map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('');
    const head = Buffer.from(`HTTP/1.1 200 OK\r\n${written}Content-Length: 0\r\n\r\n`, 'latin1');
    let sent = 0;
    for (let at = 1; at < head.length; at += Math.max(1, Math.floor(head.length / 64))) {
      sent = 0;
      const path = `/${at},${Math.min(at + 3, head.length)}`;
      const answer = answered(await upstream.send(get(server.origin, path), toScope()));
      expect(answer.headers).toEqual([...lines, 'Content-Length', '0']);
      await answer.body.collect(10);
    }
  });

  it('to another user of undici in the process has headers as undici returns them', async () => {
    const { server, upstream } = await setUp((call) => call.json({}, { headers: ['X-Odd-CASE', 'a'] }));
    answered(await upstream.send(get(server.origin), toScope()));
    const other = new Client(server.origin);
    closeAfterTest(other);
    const { headers } = await other.request({ path: '/', method: 'GET' });
    expect(headers).toMatchObject({ 'x-odd-case': 'a' });
  });

  it('of 10 MB arrives complete', async () => {
    const body = randomBytes(10_000_000);
    const { server, upstream } = await setUp((call) => call.answer({ body }));
    const answer = answered(await upstream.send(get(server.origin), toScope()));
    const bytes = await answer.body.collect(32 << 20);
    expect(Buffer.isBuffer(bytes) && digest(bytes)).toBe(digest(body));
  });

  it('arrives complete at a reader that accepts one chunk at a time', async () => {
    const body = randomBytes(2_000_000);
    const { server, upstream } = await setUp((call) => call.answer({ body }));
    const answer = answered(await upstream.send(get(server.origin), toScope()));
    const pieces: Buffer[] = [];
    let drained = (): void => {};
    await new Promise<void>((resolve, reject) => {
      answer.body.start({
        write(piece) {
          pieces.push(Buffer.from(piece));
          queueMicrotask(() => drained());
          return false;
        },
        onDrain: (resume) => {
          drained = resume;
        },
        end: resolve,
        fail: reject,
      });
    });
    expect(digest(Buffer.concat(pieces))).toBe(digest(body));
    expect(pieces.every(({ length }) => length > 0)).toBe(true);
  });

  it('that exceeds the limit is a failure, and its connection is closed', async () => {
    const { server, upstream } = await setUp((call) => call.answer({ body: randomBytes(500_000) }));
    const answer = answered(await upstream.send(get(server.origin), toScope()));
    expect(failed((await answer.body.collect(100_000)) as Buffer)).toMatchObject({ code: 'answer-too-large' });
    await server.quiet();
  });

  it('is not decompressed: gzip bytes arrive unchanged', async () => {
    const body = gzipSync('{"a":1}');
    const { server, upstream } = await setUp((call) => call.answer({ headers: { 'Content-Encoding': 'gzip' }, body }));
    const answer = answered(await upstream.send(get(server.origin), toScope()));
    expect(await answer.body.collect(1000)).toEqual(body);
  });

  it('that redirects is not followed', async () => {
    const { server, upstream } = await setUp((call) => call.answer({ status: 302, headers: { Location: '/other' } }));
    const answer = answered(await upstream.send(get(server.origin), toScope()));
    expect(answer.status).toBe(302);
    expect(answer.headers).toContain('/other');
    expect(await answer.body.collect(10)).toHaveLength(0);
    expect(server.requests).toHaveLength(1);
  });

  it('to HEAD, or with 204 or 304, has no body even if a length is announced', async () => {
    const { server, upstream } = await setUp((call) => {
      const status = Number(call.request.path.slice(1));
      call.answer({ status, headers: status === 200 ? { 'content-length': '999' } : {} });
    });
    for (const [method, path] of [
      ['HEAD', '/200'],
      ['GET', '/204'],
      ['GET', '/304'],
    ] as const) {
      const answer = answered(await upstream.send({ ...get(server.origin, path), method }, toScope()));
      expect(await answer.body.collect(10)).toHaveLength(0);
    }
  });

  it.each([
    ['early hints', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'],
    ['a 100 Continue that was not requested', 'HTTP/1.1 100 Continue\r\n\r\n'],
    [
      'several interim answers',
      'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 100 Continue\r\nx: y\r\n\r\nHTTP/1.1 100 \r\n\r\n',
    ],
  ])('may be preceded by %s', async (_, interim) => {
    const { server, upstream } = await setUp((call) => {
      call.raw(interim);
      call.json({ real: true });
    });
    const answer = answered(await upstream.send(get(server.origin), toScope()));
    expect(answer.status).toBe(200);
    expect(await answer.body.collect(100)).toEqual(Buffer.from('{"real":true}'));
  });

  it('that is cut off is a failure if it is collected, and ends with an error if it is streamed', async () => {
    const { server, upstream } = await setUp((call) => call.answer({ body: 'x'.repeat(100), cutAfter: 80 }));
    const collected = answered(await upstream.send(get(server.origin), toScope()));
    expect(failed((await collected.body.collect(1000)) as Buffer)).toMatchObject({ code: 'connection-lost' });
    const streamed = answered(await upstream.send(get(server.origin), toScope()));
    const sink = recordingSink();
    streamed.body.start(sink);
    expect(await sink.ended).toBe('fail');
    expect(sink.error?.code).toBe('connection-lost');
    expect(sink.text).toMatch(/^x+$/);
  });

  it.each([
    ['is complete if its connection ends', 200, 'close', 'end'],
    ['is incomplete if its connection is reset', 200, 'reset', 'fail'],
    ['is complete if it is an error and its connection is reset', 413, 'reset', 'end'],
  ] as const)('without a length %s', async (_, status, how, ending) => {
    const { server, upstream } = await setUp();
    const sending = upstream.send(get(server.origin), toScope());
    const call = await server.nextCall();
    call.raw(`HTTP/1.1 ${status} Scripted\r\nconnection: close\r\n\r\nhalf`);
    const sink = recordingSink();
    answered(await sending).body.start(sink);
    await sink.begun;
    call.cut(how);
    expect([await sink.ended, sink.text]).toEqual([ending, 'half']);
  });

  it('stays complete until it is read', async () => {
    const { server, upstream } = await setUp((call) => call.answer({ body: 'y'.repeat(300_000) }));
    const answer = answered(await upstream.send(get(server.origin), toScope()));
    await new Promise((resolve) => setImmediate(resolve));
    const sink = recordingSink();
    answer.body.start(sink);
    expect(await sink.ended).toBe('end');
    expect(sink.bytes).toHaveLength(300_000);
  });
});

describe('a failure', () => {
  it('explains what happened, and reveals nothing of the URL', async () => {
    const { upstreams } = await setUp();
    const closed = await startUpstream();
    await closed.close();
    const answer = await upstreams
      .open(closed.origin, { operatorHost: false })
      .send(get(closed.origin, '/p?key=sk-secret'), toScope());
    expect(failed(answer)).toMatchObject({ code: 'connection-failed', status: 502, type: 'network_error' });
    expect(failed(answer).message).toContain('the connection was refused');
    expect(failed(answer).message).not.toMatch(/sk-secret|at .*:\d+:\d+/);
  });

  it('of a connection that is reset before the answer is reported as a lost connection', async () => {
    const { server, upstream } = await setUp((call) => call.cut('reset'));
    expect(failed(await upstream.send(get(server.origin), toScope()))).toMatchObject({ code: 'connection-lost' });
  });

  it.each(['099', '001', '000', '600', '999'])(
    'of an answer with the status %s is reported as an answer that is not HTTP',
    async (status) => {
      const { server, upstream } = await setUp((call) => {
        call.raw(`HTTP/1.1 ${status} Hm\r\ncontent-length: 2\r\n\r\n{}`);
      });
      expect(failed(await upstream.send(get(server.origin), toScope())).message).toContain('its answer is not HTTP');
    },
  );

  it.each([
    ['gzip, chunked', '2\r\n{}\r\n0\r\n\r\n'],
    ['gzip', '{}'],
    ['chunked, gzip', '{}'],
  ])('of an answer with the transfer coding "%s" is reported as such', async (coding, body) => {
    const { server, upstream } = await setUp((call) => {
      call.raw(`HTTP/1.1 200 OK\r\nTransfer-Encoding: ${coding}\r\n\r\n${body}`);
    });
    const { code, message } = failed(await upstream.send(get(server.origin), toScope()));
    expect([code, message]).toEqual(['connection-lost', expect.stringContaining('its answer has a transfer coding')]);
  });

  it.each(['Chunked', 'chunked '])('is not reported for the transfer coding "%s"', async (coding) => {
    const { server, upstream } = await setUp((call) => {
      call.raw(`HTTP/1.1 200 OK\r\nTransfer-Encoding: ${coding}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`);
    });
    const { status, body } = answered(await upstream.send(get(server.origin), toScope()));
    expect([status, String(await body.collect(9))]).toEqual([200, '{}']);
  });

  it.each([
    ['no headers', ''],
    ['the headers of an upgrade', 'connection: upgrade\r\nupgrade: websocket\r\n'],
  ])('of an answer 101 with %s is reported as an answer in another protocol', async (_, headers) => {
    const { server, upstream } = await setUp((call) => {
      call.raw(`HTTP/1.1 101 Switching Protocols\r\n${headers}\r\n`);
    });
    const { code, message } = failed(await upstream.send(get(server.origin), toScope()));
    expect([code, message]).toEqual([
      'connection-lost',
      expect.stringContaining('its answer switches to another protocol, which was not requested'),
    ]);
  });

  it('of an answer that is not HTTP is reported as such', async () => {
    const { server, upstream } = await setUp((call) => void call.raw('SSH-2.0-OpenSSH\r\n\r\n'));
    expect(failed(await upstream.send(get(server.origin), toScope())).message).toContain('its answer is not HTTP');
  });

  it.each([
    ['mentions trusted_hosts if the name may be private and is not trusted', 'nowhere.example', [], true],
    ['mentions trusted_hosts if the name is a single label', 'my_vllm', [], true],
    ['does not mention trusted_hosts if the name is public', 'api.example.com', [], false],
    ['does not mention trusted_hosts if the name is trusted', 'nowhere.example', ['nowhere.example'], false],
  ])('of a name that does not resolve %s', async (_, name, trustedHosts, isUnlisted) => {
    const lookup: UpstreamsOptions['lookup'] = (_name, _options, callback) =>
      callback(Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' }), '', 0);
    const { upstreams } = await setUp(undefined, { trustedHosts, lookup: lookup as NonNullable<typeof lookup> });
    const answer = await upstreams
      .open(`https://${name}`, { operatorHost: false })
      .send(get(`https://${name}`), toScope());
    const { message } = failed(answer);
    expect(message).toContain(`${name} could not be reached: its name does not resolve.`);
    expect(message.includes('A host in a private network must also be listed in trusted_hosts')).toBe(isUnlisted);
  });
});

describe('a client that disconnects', () => {
  it('closes the upstream connection, both before and after the response head', async () => {
    const { server, upstream } = await setUp();
    const before = cancelSource();
    const pending = upstream.send(get(server.origin), toScope(before));
    const first = await server.nextCall();
    before.cancel();
    expect(failed(await pending)).toMatchObject({ code: 'connection-lost' });
    await first.gone;

    const after = cancelSource();
    const streaming = upstream.send(get(server.origin), toScope(after));
    const second = await server.nextCall();
    second.sse().frame('hello');
    const sink = recordingSink();
    answered(await streaming).body.start(sink);
    after.cancel();
    expect(await sink.ended).toBe('fail');
    await second.gone;
    expect(after.listeners).toBe(0);
  });

  it('while its request is queued blocks no other request, a thousand times', async () => {
    const { server, upstream } = await setUp(undefined, { connections: 2, queue: 2000, queueMs: 20_000 });
    const holders = [upstream.send(get(server.origin), toScope()), upstream.send(get(server.origin), toScope())];
    const held = [await server.nextCall(), await server.nextCall()];
    const sources = Array.from({ length: 1000 }, cancelSource);
    const waiting = sources.map((source) => upstream.send(get(server.origin, '/left'), toScope(source)));
    const stays = upstream.send(get(server.origin, '/stays'), toScope());
    for (const source of sources) source.cancel();
    for (const answer of await Promise.all(waiting)) expect(failed(answer).code).toBe('connection-lost');
    for (const call of held) call.json({});
    for (const holder of holders) await answered(await holder).body.collect(100);
    (await server.nextCall()).json({ still: 'here' });
    expect(await answered(await stays).body.collect(100)).toEqual(Buffer.from('{"still":"here"}'));
    expect(server.requests.filter(({ path }) => path === '/left')).toHaveLength(0);
  });

  it('while its connection is opened, or as its turn comes, blocks no other request, a thousand times', async () => {
    const { server, upstream } = await setUp((call) => call.json({}), { connections: 4, queue: 2000 });
    for (let round = 0; round < 50; round += 1) {
      const sources = Array.from({ length: 20 }, cancelSource);
      const pending = sources.map((source) => upstream.send(get(server.origin), toScope(source)));
      if (round % 2 === 0) await new Promise((resolve) => setImmediate(resolve));
      for (const source of sources) source.cancel();
      await Promise.all(pending);
    }
    const answer = answered(await upstream.send(get(server.origin), toScope()));
    expect(await answer.body.collect(100)).toEqual(Buffer.from('{}'));
  });
});

describe('the callback for a written request', () => {
  const counted = (cancellation = cancelSource()) => {
    const scope = {
      ...toScope(cancellation),
      count: 0,
      written: () => {
        scope.count += 1;
      },
    };
    return scope;
  };

  it('is called once the request has a connection, whether or not it is answered', async () => {
    const { server, upstream } = await setUp((call) => call.cut('reset'));
    const lost = counted();
    expect(failed(await upstream.send(get(server.origin), lost))).toMatchObject({ code: 'connection-lost' });
    server.handle((call) => call.json({}));
    const whole = counted();
    await answered(await upstream.send(get(server.origin), whole)).body.collect(10);
    expect([lost.count, whole.count]).toEqual([1, 1]);
  });

  it('is not called if the request has no connection or waits for one', async () => {
    const closed = await startUpstream();
    await closed.close();
    const { server, upstreams, upstream } = await setUp(undefined, { connections: 1, queue: 1 });
    const refused = counted();
    await upstreams.open(closed.origin, { operatorHost: false }).send(get(closed.origin), refused);
    const first = upstream.send(get(server.origin), toScope());
    const cancellation = cancelSource();
    const waiting = counted(cancellation);
    const waited = upstream.send(get(server.origin), waiting);
    const full = counted();
    expect(failed(await upstream.send(get(server.origin), full))).toMatchObject({ code: 'pool-full' });
    cancellation.cancel();
    await waited;
    (await server.nextCall()).json({});
    answered(await first).body.discard();
    expect([refused.count, waiting.count, full.count]).toEqual([0, 0, 0]);
  });
});
