import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type CommandProcess, startCommands } from '../../support/commands/command-process.ts';
import type { GatewayProcess } from '../../support/gateways/gateway-process.ts';
import { patience } from '../../support/run/patience.ts';
import { startUpstream, type TestUpstream, type UpstreamCall } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';
import {
  ask,
  guardedGateway,
  guardedRefusal,
  heldUpstream,
  question,
  readLines,
  startGuarded,
  target,
} from './support/guarded-gateway.ts';

const answer = openaiAnswer({ text: 'Hello!' });
const keys = {
  keys: [
    { id: 'low', key: '${env:LOW}', tenant: 'team', priority: 'low' },
    { id: 'normal', key: '${env:NORMAL}', tenant: 'team' },
    { id: 'high', key: '${env:HIGH}', tenant: 'team', priority: 'high' },
  ],
};
/**
 * Memory is short from a tenth of the limit for bodies, and delays never count, so that the load of this machine does not
 * matter.
 */
const guarded = {
  overload: { memory_percent: 10, event_loop_ms: 60_000, priority_from: 'metadata.priority' },
  limits: { bodies_bytes: 100_000 },
};

const asKey = (key: string, metadata?: object): object => ({
  'x-gw-api-key': key,
  ...(metadata === undefined ? {} : { 'x-gw-metadata': JSON.stringify(metadata) }),
});

let upstream: TestUpstream;
let gateway: GatewayProcess;
beforeAll(async () => {
  upstream = await startUpstream();
  gateway = await startGuarded(
    { ...guarded, auth: keys, metrics: { port: 0 } },
    { ...target({ upstream }), name: 'main' },
  );
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

/** Makes the gateway short of memory: the body of one unanswered request takes a part of it until it is released. */
const shortOfMemory = async (): Promise<() => Promise<void>> => {
  const held = Promise.withResolvers<UpstreamCall>();
  upstream.handle(held.resolve);
  const large = ask(gateway, { headers: asKey('key-high'), body: { user: 'u'.repeat(30_000) } });
  const call = await held.promise;
  upstream.handle((each) => each.json(answer));
  return async () => {
    call.json(answer);
    expect((await large).status).toBe(200);
  };
};

const statusOf = async (headers: object): Promise<number> => (await ask(gateway, { headers })).status;

/** The share of all requests that is admitted when every request of a priority is refused. */
const admittedWithout = { 'key-low': 2 / 3, 'key-normal': 1 / 3 };

/** Resolves when all requests of a priority are refused. Before that, some are refused by chance. */
const untilShed = async (key: keyof typeof admittedWithout): Promise<void> =>
  vi.waitFor(async () => {
    const ready = await fetch(`${gateway.origin}/readyz`, { headers: { 'x-gw-api-key': key } });
    expect(JSON.parse(await ready.text()).overload.admitted).toBeLessThan(admittedWithout[key] + 0.001);
    const statuses = await Promise.all(Array.from({ length: 8 }, () => statusOf(asKey(key))));
    expect(new Set(statuses)).toEqual(new Set([503]));
  }, patience);

describe('a gateway that is short of memory', () => {
  it('refuses low before normal priority, serves high priority, and serves all of them afterwards', async () => {
    const release = await shortOfMemory();
    await untilShed('key-low');
    await untilShed('key-normal');
    const statuses = await Promise.all(Array.from({ length: 8 }, () => statusOf(asKey('key-high'))));
    expect(new Set(statuses)).toEqual(new Set([200]));
    const refused = await ask(gateway, { headers: asKey('key-normal') });
    expect([refused.status, JSON.parse(refused.text).error.code]).toEqual([503, 'overloaded']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    await release();
    await vi.waitFor(async () => {
      const again = await Promise.all(Array.from({ length: 8 }, () => statusOf(asKey('key-low'))));
      expect(new Set(again)).toEqual(new Set([200]));
    }, patience);
  });

  it('lets metadata lower a priority, but never raise it', async () => {
    const release = await shortOfMemory();
    await untilShed('key-normal');
    expect(await statusOf(asKey('key-high', { priority: 'low' }))).toBe(503);
    expect(await statusOf(asKey('key-normal', { priority: 'high' }))).toBe(503);
    expect(await statusOf(asKey('key-high', { priority: 'high' }))).toBe(200);
    await release();
  });

  it('serves its status pages, and reports why it refuses requests', async () => {
    const held = await heldUpstream();
    const gateway = await guardedGateway(guarded, { ...target(held), name: 'main' });
    const large = ask(gateway, { body: { user: 'u'.repeat(30_000) } });
    const call = await held.call(0);
    held.upstream.handle((each) => each.json(answer));
    await vi.waitFor(async () => expect((await ask(gateway)).status).toBe(503), patience);
    const ready = await fetch(`${gateway.origin}/readyz`);
    const { status, overload } = JSON.parse(await ready.text());
    expect([ready.status, status]).toEqual([200, 'ready']);
    expect(overload.admitted).toBeLessThan(1);
    expect((await fetch(`${gateway.origin}/livez`)).status).toBe(200);
    const shed = await readLines(gateway, 'shed_total');
    expect(shed['{reason="memory",priority="normal"}']).toBeGreaterThanOrEqual(1);
    expect((await readLines(gateway, 'admitted_ratio'))['']).toBeLessThan(1);
    call.json(answer);
    await large;
  });

  it('refuses a request before its body arrives, and keeps the connection usable', async () => {
    const release = await shortOfMemory();
    await untilShed('key-normal');
    const { hostname, port } = new URL(gateway.origin);
    // None of the body is sent, and the answer does not wait for it.
    const socket = connect(Number(port), hostname);
    socket.write(
      [
        'POST /v1/chat/completions HTTP/1.1',
        `host: ${hostname}:${port}`,
        'content-type: application/json',
        'x-gw-api-key: key-normal',
        'content-length: 1000000',
        '\r\n',
      ].join('\r\n'),
    );
    const [first] = await once(socket, 'data');
    expect(first.toString()).toContain('503');
    socket.destroy();

    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const send = (): Promise<readonly [number | undefined, boolean]> =>
      new Promise((resolve, reject) => {
        const sent = request(
          `${gateway.baseUrl}/chat/completions`,
          { method: 'POST', agent, headers: { 'content-type': 'application/json', 'x-gw-api-key': 'key-normal' } },
          (response) => {
            response.resume();
            response.once('end', () => resolve([response.statusCode, sent.reusedSocket]));
          },
        );
        sent.once('error', reject);
        sent.end(JSON.stringify(question));
      });
    expect(await send()).toEqual([503, false]);
    expect(await send()).toEqual([503, true]);
    agent.destroy();
    await release();
  });
});

describe('a busy gateway', () => {
  it('sends no copies and starts no hedges', async () => {
    const [held, copied, other] = [await heldUpstream(), await heldUpstream(), await heldUpstream()];
    const gateway = await guardedGateway(
      { overload: { min_concurrency: 1, max_concurrency: 1, queue_ms: 600_000, event_loop_ms: 60_000 } },
      {
        strategy: { mode: 'fallback', hedge: { after_ms: 1, budget_percent: 100 } },
        targets: [
          { ...target(held), name: 'main', mirror: { target: target(copied, { name: 'copy' }), percent: 100 } },
          { ...target(other), name: 'other' },
        ],
      },
    );
    const headers = { 'x-gw-config': JSON.stringify({ ...target(held), api_key: 'sk-of-the-target' }) };
    const first = ask(gateway, { headers });
    await held.call(0);
    const queued = [ask(gateway), ask(gateway), ask(gateway)];
    await vi.waitFor(
      async () =>
        expect(
          Object.values(await readLines(gateway, 'target_queue_length')).reduce((sum, each) => sum + each, 0),
        ).toBe(3),
      patience,
    );
    (await held.call(0)).json(answer);
    expect((await first).status).toBe(200);
    // One request still waits when this one is answered, so the copy of this one is dropped.
    (await held.call(1)).json(answer);
    await vi.waitFor(
      async () =>
        expect(await readLines(gateway, 'mirrors_total')).toEqual({
          '{plan="main",target="copy",result="dropped"}': 1,
        }),
      patience,
    );
    for (const at of [2, 3]) (await held.call(at)).json(answer);
    for (const each of queued) expect((await each).status).toBe(200);
    expect(other.calls).toEqual([]);
  });
});

describe('an invalid "overload" in the gateway file', () => {
  let commands: CommandProcess;
  beforeAll(() => {
    commands = startCommands();
  });
  afterAll(() => commands.stop());

  it.each([
    [
      { min_concurrency: 30, max_concurrency: 20 },
      /\[wrong-limits\].*"min_concurrency" is 30, above "max_concurrency".*gateway\.json:\d+:\d+/s,
    ],
    [{ max_concurrency: 2 }, /"max_concurrency" is 2, below "min_concurrency", which is 4 by default/],
    [{ initial_concurrency: 2 }, /"initial_concurrency" is 2, below "min_concurrency", which is 4 by default/],
    [{ priority_from: 'headers.priority' }, /priority_from/],
    [{ queue: 1 }, /queue/],
  ])('is explained: %j', async (overload, message) => {
    expect(await guardedRefusal(commands, { overload })).toMatch(message);
  });
});
