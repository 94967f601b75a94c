import { describe, expect, it, vi } from 'vitest';
import { createUpstreams } from '../../../runtime/upstream/upstreams.ts';
import { patience } from '../../support/run/patience.ts';
import { startUpstream } from '../../support/servers/upstream-server.ts';
import { answered, cancelSource, failed, get, manualClock, recordingSink, toScope } from '../streams/kit.ts';
import { closeAfterTest, setUp } from './kit.ts';

describe('the queue', () => {
  it('rejects requests beyond its size with a 503 from the gateway', async () => {
    const { server, upstream } = await setUp(undefined, { connections: 1, queue: 1 });
    const first = upstream.send(get(server.origin), toScope());
    const second = upstream.send(get(server.origin), toScope());
    const third = await upstream.send(get(server.origin), toScope());
    expect(failed(third)).toMatchObject({ code: 'pool-full', status: 503 });
    for (const pending of [first, second]) {
      (await server.nextCall()).json({});
      await answered(await pending).body.collect(10);
    }
    expect(server.accepted).toBe(1);
  });

  it('has limited places for each tenant, so that none can block an origin for others', async () => {
    const { server, upstreams, upstream } = await setUp(undefined, { connections: 2, queue: 3 });
    const send = (tenant: string) => upstream.send(get(server.origin, `/${tenant}`), { ...toScope(), tenant });
    const flooded = ['a', 'b', 'c'].flatMap((tenant) => Array.from({ length: 6 }, () => send(tenant)));
    const full = (await Promise.all(['a', 'b', 'c'].map((tenant) => send(tenant)))).map(
      (answer) => failed(answer).code,
    );
    expect(full).toEqual(['pool-full', 'pool-full', 'pool-full']);
    for (let count = 0; count < 6; count += 1) await server.nextCall();
    const calm = send('d');
    const call = await server.nextCall();
    expect(call.request.path).toBe('/d');
    call.json({});
    await answered(await calm).body.collect(10);
    await upstreams.close();
    await Promise.all(flooded);
  });

  it('gives free connections to tenants in turn', async () => {
    const { server, upstream } = await setUp(undefined, { connections: 1, queue: 9 });
    const tenants = ['a', 'b', 'c', 'd', 'e'];
    const sent = tenants.flatMap((tenant) =>
      Array.from({ length: 3 }, async () => {
        const answer = await upstream.send(get(server.origin, `/${tenant}`), { ...toScope(), tenant });
        await answered(answer).body.collect(10);
      }),
    );
    const order: string[] = [];
    const open = [];
    for (let count = 0; count < 15; count += 1) {
      const call = await server.nextCall();
      order.push(call.request.path);
      open.push(call);
      // The last requests are answered at once, because nobody else waits.
      if (open.length === 4 || count >= 9) open.shift()?.json({});
      if (count >= 9) for (const each of open.splice(0)) each.json({});
    }
    await Promise.all(sent);
    // Four begin at once, and then each tenant has a turn.
    expect(new Set(order.slice(4, 9)).size).toBe(5);
  });

  it('fails a request that has waited too long', async () => {
    const clock = manualClock();
    const { server, upstream } = await setUp(undefined, { connections: 1, queueMs: 50, clock });
    const first = upstream.send(get(server.origin), toScope());
    const second = upstream.send(get(server.origin), toScope());
    clock.advance(50);
    expect(failed(await second)).toMatchObject({ code: 'pool-full' });
    (await server.nextCall()).json({});
    answered(await first).body.discard();
    expect(server.requests).toHaveLength(1);
  });
});

describe('a request that was queued', () => {
  it('does not time out in the queue once it is sent, however long its answer takes', async () => {
    const clock = manualClock();
    const { server, upstream } = await setUp(undefined, { connections: 1, queueMs: 50, clock });
    const first = upstream.send(get(server.origin, '/first'), toScope());
    const second = upstream.send(get(server.origin, '/second'), toScope());
    (await server.nextCall()).json({});
    await answered(await first).body.collect(10);
    const call = await server.nextCall();
    clock.advance(1_000);
    call.json({ at: 'last' });
    expect(await answered(await second).body.collect(100)).toEqual(Buffer.from('{"at":"last"}'));
    expect(clock.timers).toBe(0);
  });
});

describe('a slow reader', () => {
  it('slows down the upstream instead of filling memory', async () => {
    const { server, upstream } = await setUp();
    const pending = upstream.send(get(server.origin), toScope());
    const call = await server.nextCall();
    const total = 40 * 1024 * 1024;
    call.raw(`HTTP/1.1 200 OK\r\ncontent-length: ${total}\r\n\r\n`);
    const sink = recordingSink();
    sink.full = true;
    answered(await pending).body.start(sink);
    const piece = Buffer.alloc(256 * 1024, 97);
    let written = 0;
    while (call.raw(piece)) written += piece.length;
    // What fits into the buffers of the sockets has been sent. The rest has not been read.
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(sink.bytes.length).toBeLessThan(512 * 1024);
    sink.drain();
    written += piece.length;
    while (written < total) {
      if (!call.raw(piece)) await call.drained();
      written += piece.length;
    }
    expect(await sink.ended).toBe('end');
    expect(sink.bytes).toHaveLength(total);
  });
});

describe('pools', () => {
  it('reuse one connection, and open a new one when it has become too old', async () => {
    const { server, upstreams, upstream } = await setUp((call) => call.json({}));
    for (let round = 0; round < 5; round += 1) {
      await answered(await upstream.send(get(server.origin), toScope())).body.collect(10);
      // undici reuses a connection one turn of the event loop later.
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(server.accepted).toBe(1);
    await upstreams.close();

    const clock = manualClock();
    const young = createUpstreams({ trustedHosts: ['127.0.0.1'], maxAgeMs: 1_000, clock });
    closeAfterTest(young);
    const renewed = young.open(server.origin, { operatorHost: true });
    await answered(await renewed.send(get(server.origin), toScope())).body.collect(10);
    clock.advance(1_000);
    await answered(await renewed.send(get(server.origin), toScope())).body.collect(10);
    expect(server.accepted).toBe(3);
  });

  it('of callers are evicted if there are too many, but finish what they have begun', async () => {
    const first = await startUpstream();
    const second = await startUpstream((call) => call.json({}));
    const upstreams = createUpstreams({ trustedHosts: ['127.0.0.1'], callerPools: 1 });
    closeAfterTest(first, second, upstreams);
    const upstream = upstreams.open(first.origin, { operatorHost: false });
    const pending = upstream.send(get(first.origin), toScope());
    const call = await first.nextCall();
    const other = upstreams.open(second.origin, { operatorHost: false });
    await answered(await other.send(get(second.origin), toScope())).body.collect(10);
    call.json({ late: true });
    expect(await answered(await pending).body.collect(100)).toEqual(Buffer.from('{"late":true}'));
    await first.quiet();
    first.handle((again) => again.json({}));
    await answered(await upstream.send(get(first.origin), toScope())).body.collect(10);
  });

  it('of callers are limited in number, however many hosts callers name', async () => {
    const server = await startUpstream((call) => call.json({}));
    const upstreams = createUpstreams({
      trustedHosts: ['localhost'],
      callerPools: 8,
      lookup: (_name, options, callback) =>
        options.all === true ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4),
    });
    closeAfterTest(server, upstreams);
    for (let host = 0; host < 200; host += 1) {
      const origin = `http://h${host}.localhost:${server.port}`;
      const upstream = upstreams.open(origin, { operatorHost: false });
      await answered(await upstream.send(get(origin), toScope())).body.collect(10);
    }
    await vi.waitFor(() => expect(server.connections).toBeLessThanOrEqual(8), patience);
    expect(server.accepted).toBe(200);
  });

  it('fail running, waiting and later requests when they are closed', async () => {
    const { server, upstreams, upstream } = await setUp(undefined, { connections: 1 });
    const running = upstream.send(get(server.origin), toScope());
    await server.nextCall();
    const waiting = upstream.send(get(server.origin), toScope());
    await upstreams.close();
    const late = upstream.send(get(server.origin), toScope());
    for (const answer of await Promise.all([running, waiting, late]))
      expect(failed(answer).message).toContain('the gateway closed its connections.');
  });

  it('leave no connection in use after any run', async () => {
    const { server, upstreams, upstream } = await setUp((call) => {
      const script = call.request.path;
      if (script === '/cut') call.answer({ body: 'abc', cutAfter: 30 });
      else if (script === '/json') call.json({});
    });
    const sources = Array.from({ length: 60 }, cancelSource);
    const runs = sources.map(async (source, at) => {
      const answer = await upstream.send(get(server.origin, ['/cut', '/json', '/hang'][at % 3]), toScope(source));
      if (answer.kind === 'answer') await answer.body.collect(100);
    });
    await vi.waitFor(() => expect(server.requests).toHaveLength(60), patience);
    for (const source of sources) source.cancel();
    await Promise.all(runs);
    await upstreams.close();
    await server.quiet();
    expect(server.connections).toBe(0);
  });
});
