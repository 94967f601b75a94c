import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { hasRedis, type RedisServer, startRedis } from '../../support/servers/redis-server.ts';
import { startUpstream, type TestUpstream, type UpstreamHandler } from '../../support/servers/upstream-server.ts';
import { openaiAnswer, openaiStream } from '../../support/vendors/openai-wire.ts';

const question = { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'How is it in Graz?' }] };

describe.skipIf(!hasRedis)('gateways that share a Redis (skipped if there is no redis-server)', () => {
  let redis: RedisServer;
  let upstream: TestUpstream;
  let gateways: readonly [GatewayProcess, GatewayProcess];
  let namespaces = 0;
  let namespace: string;

  const vendor: UpstreamHandler = (call) => {
    const body = JSON.parse(call.request.text());
    const reply = { text: `This is answer ${upstream.requests.length}.` };
    if (body.stream !== true) return call.json(openaiAnswer(reply));
    const stream = call.sse();
    for (const frame of openaiStream(reply)) stream.send(frame);
    stream.end();
  };

  const start = (): Promise<GatewayProcess> =>
    startGateway({
      files: {
        'gateway.json': { configs: 'configs', default_config: 'cached', cache: { url: '${env:GW_CACHE_URL}' } },
        'configs/cached.json': {
          provider: 'openai',
          api_key: '${env:KEY}',
          custom_host: `${upstream.origin}/v1`,
          cache: { mode: 'simple' },
        },
      },
      env: { KEY: 'secret', GW_CACHE_URL: redis.url },
    });

  beforeAll(async () => {
    [redis, upstream] = await Promise.all([startRedis(), startUpstream(vendor)]);
    gateways = await Promise.all([start(), start()]);
  });
  beforeEach(() => {
    upstream.handle(vendor);
    namespaces += 1;
    namespace = `test-${namespaces}`;
  });
  afterAll(async () => {
    await Promise.all(gateways.map((gateway) => gateway.stop()));
    await upstream.close();
    await redis.stop();
  });

  const post = (at: 0 | 1, body: object = {}): Promise<Response> =>
    fetch(`${gateways[at].baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-gw-cache-namespace': namespace },
      body: JSON.stringify({ ...question, ...body }),
    });

  const ask = async (at: 0 | 1, body: object = {}): Promise<readonly [number, string | null, string]> => {
    const answer = await post(at, body);
    return [answer.status, answer.headers.get('x-gw-cache-status'), await answer.text()];
  };

  let asked = 0;
  /** Sends a new request, and then the same one again, until the second is a hit, so that the store is in use again. */
  const untilUsed = async (at: 0 | 1): Promise<void> => {
    for (;;) {
      asked += 1;
      const body = { user: `warm ${asked}` };
      await ask(at, body);
      if ((await ask(at, body))[1] === 'HIT') return;
    }
  };

  it('share their answers, including streams', async () => {
    await Promise.all([untilUsed(0), untilUsed(1)]);
    for (const body of [{}, { stream: true }]) {
      let own = await ask(0, body);
      expect(own[1]).toBe('MISS');
      // Requests do not wait for writes, so the next request may arrive before the write is done.
      while (own[1] !== 'HIT') own = await ask(0, body);
      expect(await ask(1, body)).toEqual(own);
    }
  });

  it('make one call for simultaneous equal requests, whichever gateway gets them', async () => {
    await Promise.all([untilUsed(0), untilUsed(1)]);
    const arrived = Promise.withResolvers<() => void>();
    upstream.handle((call) => {
      if (call.request.text().includes('marker')) return call.json(openaiAnswer({ text: 'marked' }));
      arrived.resolve(() => call.json(openaiAnswer({ text: 'shared' })));
    });
    const before = upstream.requests.length;
    const first = ask(0);
    const answer = await arrived.promise;
    const others = Array.from({ length: 100 }, (_, at) => ask(at % 2 === 0 ? 0 : 1));
    await Promise.all([ask(0, { user: 'marker 0' }), ask(1, { user: 'marker 1' })]);
    answer();
    expect((await first).slice(0, 2)).toEqual([200, 'MISS']);
    expect(new Set((await Promise.all(others)).map((each) => each.slice(0, 2).join()))).toEqual(new Set(['200,HIT']));
    expect(upstream.requests.length - before).toBe(3);
  });

  it.each<[string, (server: RedisServer) => void | Promise<void>, (server: RedisServer) => void | Promise<void>]>([
    ['is frozen', (server) => server.signal('SIGSTOP'), (server) => server.signal('SIGCONT')],
    ['is killed', (server) => server.kill(), (server) => server.restart()],
  ])('answer every request while the Redis %s under load, and use it again afterwards', async (_what, fail, mend) => {
    await untilUsed(0);
    const load = (from: number, to: number): Promise<readonly (readonly [number, string | null, string])[]> =>
      Promise.all(
        Array.from({ length: to - from }, (_, at) => ask(0, { user: `load ${from + at}`, stream: at % 3 === 0 })),
      );
    const running = load(0, 100);
    await fail(redis);
    const statuses = [...(await running), ...(await load(100, 200)), ...(await load(100, 200))];
    await mend(redis);
    expect(new Set(statuses.map(([status]) => status))).toEqual(new Set([200]));
    await untilUsed(0);
  });
});

describe('a gateway whose Redis cannot be reached', () => {
  it('starts and answers every request', async () => {
    const upstream = await startUpstream((call) => call.json(openaiAnswer({ text: 'hi' })));
    const gateway = await startGateway({
      files: {
        // The port of TCP's discard service, on which nothing listens here.
        'gateway.json': { configs: 'configs', default_config: 'cached', cache: { url: 'redis://127.0.0.1:9' } },
        'configs/cached.json': {
          provider: 'openai',
          api_key: '${env:KEY}',
          custom_host: `${upstream.origin}/v1`,
          cache: { mode: 'simple' },
        },
      },
      env: { KEY: 'secret' },
    });
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async (_, at) => {
        const answer = await fetch(`${gateway.baseUrl}/chat/completions`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ ...question, user: `u${at}` }),
        });
        return [answer.status, answer.headers.get('x-gw-cache-status')].join();
      }),
    );
    await gateway.stop();
    await upstream.close();
    expect(new Set(statuses)).toEqual(new Set(['200,MISS']));
  });
});
