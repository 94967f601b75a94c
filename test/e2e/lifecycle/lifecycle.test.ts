import { rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, type GatewayStart, startGateway } from '../../support/gateways/gateway-process.ts';
import { patience } from '../../support/run/patience.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer, openaiStream } from '../../support/vendors/openai-wire.ts';

let upstream: TestUpstream;
let gateway: GatewayProcess;

const answerText = 'word '.repeat(400);
const plan = (more: object = {}): object => ({
  provider: 'openai',
  api_key: '${env:KEY}',
  custom_host: `${upstream.origin}/v1`,
  ...more,
});
const start = async (
  files: Record<string, unknown> = {},
  more: Pick<GatewayStart, 'args' | 'drainDelay'> = {},
): Promise<GatewayProcess> => {
  gateway = await startGateway({
    ...more,
    files: { 'gateway.json': { configs: 'configs', default_config: 'main' }, 'configs/main.json': plan(), ...files },
    env: { KEY: 'a-key-of-the-operator' },
  });
  return gateway;
};
const ask = (body: object = {}, endpoint = '/chat/completions'): Promise<Response> =>
  fetch(`${gateway.baseUrl}${endpoint}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'Hello' }], ...body }),
  });
const ready = async (): Promise<{ status: number; body: string }> => {
  const answer = await fetch(`${gateway.origin}/readyz`);
  return { status: answer.status, body: await answer.text() };
};
const rewrite = (name: string, content: unknown): void =>
  writeFileSync(
    path.join(gateway.folder, 'configs', name),
    typeof content === 'string' ? content : JSON.stringify(content),
  );

beforeAll(async () => {
  upstream = await startUpstream();
});
afterAll(() => upstream.close());
afterEach(() => gateway.stop());

/** Sends a request and returns how it ended: with a whole answer, without one, or with a part that looks whole. */
const oneRequest = async (): Promise<'whole' | 'refused' | 'corrupt'> => {
  const answer = await ask().catch(() => undefined);
  const text = await answer?.text().catch(() => undefined);
  if (text === undefined) return 'refused';
  try {
    return JSON.parse(text).choices[0].message.content === answerText ? 'whole' : 'corrupt';
  } catch {
    return 'corrupt';
  }
};

describe('stopping a gateway under load', () => {
  it.each(['SIGKILL', 'SIGTERM'] as const)('with %s corrupts no answer', async (signal) => {
    await start();
    let served = 0;
    upstream.handle((call) => {
      served += 1;
      call.json(openaiAnswer({ text: answerText }));
      if (served === 60) gateway.signal(signal);
    });
    // Each of forty clients sends three requests. When call sixty is made, some clients have received their first answer.
    const clients = Array.from({ length: 40 }, async () => [
      await oneRequest(),
      await oneRequest(),
      await oneRequest(),
    ]);
    const ends = (await Promise.all(clients)).flat();
    expect(ends.filter((end) => end === 'corrupt')).toEqual([]);
    expect(ends.filter((end) => end === 'whole').length).toBeGreaterThan(0);
    expect(await gateway.exited).toBe(signal === 'SIGTERM' ? 0 : -1);
  });

  it('with SIGTERM lets a running stream finish, reports draining at /readyz, and then refuses new connections', async () => {
    await start();
    const frames = openaiStream({ text: 'It rains in Graz.' });
    const go = Promise.withResolvers<void>();
    upstream.handle(async (call) => {
      const stream = call.sse();
      for (const frame of frames.slice(0, 3)) stream.send(frame);
      await go.promise;
      for (const frame of frames.slice(3)) stream.send(frame);
      stream.end();
    });
    const answer = await ask({ stream: true });
    const reader = answer.body?.getReader();
    const parts = [await reader?.read()];
    gateway.signal('SIGTERM');
    await expect
      .poll(() =>
        fetch(`${gateway.origin}/livez`)
          .then(() => true)
          .catch(() => false),
      )
      .toBe(false);
    go.resolve();
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) parts.push(part);
    expect(Buffer.concat(parts.flatMap((part) => part?.value ?? [])).toString()).toBe(frames.join(''));
    expect(await gateway.exited).toBe(0);
  });
});

it('SIGUSR2, which replaces workers, does not stop a gateway that runs as one process', async () => {
  await start();
  gateway.signal('SIGUSR2');
  await expect.poll(() => gateway.printed(), patience).toContain('SIGUSR2 replaces workers');
  upstream.handle((call) => call.json(openaiAnswer({ text: answerText })));
  expect(await oneRequest()).toBe('whole');
});

it.each<[string, GatewayStart]>([
  ['a gateway file', { files: { 'gateway.json': { trusted_hosts: ['127.0.0.1'] } } }],
  ['a store', { args: ['--store', 'gateway.db'] }],
])('SIGHUP, with which service managers reload, does not stop a gateway that has only %s', async (_, given) => {
  gateway = await startGateway({
    ...given,
    args: [...(given.args ?? []), '--drain-delay-ms', '200'],
    drainDelay: true,
  });
  gateway.signal('SIGHUP');
  // A second terminating signal would end the gateway with exit code 1.
  gateway.signal('SIGTERM');
  expect(await gateway.exited).toBe(0);
});

describe('a stream that outlasts the drain time of a gateway', () => {
  const streams = [
    ['/chat/completions', {}, /^data: \{"error":\{.*\}\}$/],
    ['/messages', { max_tokens: 50 }, /^event: error\ndata: \{"type":"error","error":\{.*$/],
    ['/responses', { messages: undefined, input: 'Hello' }, /^event: error\ndata: \{"type":"error",.*$/],
  ] as const;

  it('ends with an error in its dialect', async () => {
    await start({ 'gateway.json': { configs: 'configs', default_config: 'main', limits: { drain_ms: 300 } } });
    upstream.handle(async (call) => {
      const stream = call.sse();
      for (const frame of openaiStream({ text: 'It rains in Graz.' }).slice(0, 3)) stream.send(frame);
      await call.gone;
    });
    const answers = await Promise.all(streams.map(([endpoint, more]) => ask({ stream: true, ...more }, endpoint)));
    gateway.signal('SIGTERM');
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    for (const [at, [endpoint, , event]] of streams.entries()) {
      const events = texts[at]?.trimEnd().split('\n\n') ?? [];
      expect(events.at(-1), endpoint).toMatch(event);
      expect(events.at(-1), endpoint).toContain('The gateway is shutting down, ');
      expect(events.at(-2), endpoint).not.toContain('The gateway is shutting down, ');
    }
    expect(await gateway.exited).toBe(0);
    expect(gateway.printed()).toContain('Requests that were still running after 300 ms were aborted.');
  });

  it('is torn if it is passed through, like an answer that has not begun', async () => {
    await start({ 'gateway.json': { configs: 'configs', default_config: 'main', limits: { drain_ms: 300 } } });
    upstream.handle(async (call) => {
      if (call.request.path.endsWith('/threads')) call.sse().send('data: {}\n\n');
      await call.gone;
    });
    const before = upstream.requests.length;
    const passed = await ask({}, '/threads');
    const waiting = ask().catch(() => 'torn');
    await expect.poll(() => upstream.requests.length - before).toBe(2);
    gateway.signal('SIGTERM');
    await expect(passed.text()).rejects.toThrow('terminated');
    expect(await waiting).toBe('torn');
    expect(await gateway.exited).toBe(0);
  });
});

describe('a gateway behind a load balancer', () => {
  const gatewayFile = (limits: object): object => ({ configs: 'configs', default_config: 'main', limits });

  /** `fetch` opens a new connection for each probe, because an answer sent while draining closes its connection. */
  const probe = async (): Promise<readonly [number, string, string | null]> => {
    const answer = await fetch(`${gateway.origin}/readyz`);
    return [answer.status, ((await answer.json()) as { status: string }).status, answer.headers.get('connection')];
  };

  it('answers new connections after SIGTERM, and reports that it is draining, until the delay is over', async () => {
    await start({ 'gateway.json': gatewayFile({ drain_delay_ms: 3000 }) }, { drainDelay: true });
    upstream.handle((call) => call.json(openaiAnswer({ text: 'yes' })));
    gateway.signal('SIGTERM');
    await expect.poll(probe).toEqual([503, 'draining', 'close']);
    const answer = await ask();
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
    expect(await answer.json()).toMatchObject({ choices: [{ message: { content: 'yes' } }] });
    expect(await probe()).toEqual([503, 'draining', 'close']);
    expect(await gateway.exited).toBe(0);
    expect(gateway.printed()).not.toContain('were aborted');
  });

  it('announces that it is draining by default, and stops immediately at a second signal', async () => {
    await start({}, { drainDelay: true });
    gateway.signal('SIGTERM');
    await expect.poll(probe).toEqual([503, 'draining', 'close']);
    gateway.signal('SIGTERM');
    expect(await gateway.exited).toBe(1);
  });

  it.each([
    ['the drain time-out', gatewayFile({ drain_ms: 300, drain_delay_ms: 3_600_000 }), []],
    ['the command-line option', gatewayFile({ drain_delay_ms: 29_000 }), ['--drain-delay-ms', '1']],
  ])('waits no longer than %s allows', async (_, file, args) => {
    await start({ 'gateway.json': file }, { drainDelay: true, args });
    gateway.signal('SIGTERM');
    expect(await gateway.exited).toBe(0);
  });
});

describe('a gateway that is stopped', () => {
  it('does not wait for connections without a request', async () => {
    await start();
    const { port, hostname } = new URL(gateway.origin);
    const unused = connect(Number(port), hostname);
    const ended = new Promise((resolve) => unused.once('close', resolve));
    await new Promise((resolve) => unused.once('connect', resolve));
    // This later connection is served, so by then the gateway has accepted the first one.
    await fetch(`${gateway.origin}/livez`);
    gateway.signal('SIGTERM');
    expect(await gateway.exited).toBe(0);
    await ended;
    expect(gateway.printed()).not.toContain('cut off');
  });
});

describe('a configs folder that changes under load', () => {
  it('is applied twenty times, once with a broken file in between, without a failed request', async () => {
    await start();
    upstream.handle((call) => call.json(openaiAnswer({ text: answerText })));
    const labels = new Set<string>();
    let running = true;
    let failures = 0;
    const load = Array.from({ length: 6 }, async () => {
      while (running) {
        const answer = await ask();
        labels.add(answer.headers.get('x-gw-plan') ?? '');
        await answer.text();
        if (answer.status !== 200) failures += 1;
        await setTimeout(5);
      }
    });
    await expect.poll(() => labels.size).toBe(1);
    for (let swap = 1; swap <= 20; swap += 1) {
      if (swap === 10) {
        rewrite('main.json', '{ "provider": "openaj" }');
        await expect.poll(async () => (await ready()).body).toContain('unknown-provider');
        expect((await ready()).body).toContain('main.json');
        continue;
      }
      const before = labels.size;
      rewrite('main.json', plan({ request_timeout: 10_000 + swap }));
      await expect.poll(() => labels.size, { interval: 5 }).toBeGreaterThan(before);
    }
    running = false;
    await Promise.all(load);
    expect(failures).toBe(0);
    expect(labels.size).toBe(20);
    const { status, body } = await ready();
    expect(status).toBe(200);
    expect(body).not.toContain('unknown-provider');
  });

  it('keeps the circuits of unchanged leaves', async () => {
    const guarded = (name: string): object =>
      plan({
        name,
        cb_config: { failure_threshold: 1, cooldown_interval: 600_000, failure_status_codes: [500] },
        override_params: { model: name },
      });
    const group = (more: object): object => ({
      strategy: { mode: 'fallback' },
      targets: [guarded('shaky'), guarded('steady')],
      ...more,
    });
    await start({ 'configs/main.json': group({}) });
    upstream.handle((call) => {
      if (call.request.json().model === 'shaky') call.json({ error: { message: 'no' } }, { status: 500 });
      else call.json(openaiAnswer({ text: 'yes' }));
    });
    await (await ask()).text();
    const label = (await ask()).headers.get('x-gw-plan');
    const toCalls = (model: string): number =>
      upstream.requests.filter((request) => request.body.toString().includes(`"${model}"`)).length;
    expect(toCalls('shaky')).toBe(1);
    rewrite('main.json', group({ strategy: { mode: 'fallback', on_status_codes: [500, 502] } }));
    await expect.poll(async () => (await ask()).headers.get('x-gw-plan')).not.toBe(label);
    expect(toCalls('shaky')).toBe(1);
  });

  it('keeps serving the last good plan of a file that becomes invalid, and reveals no secret', async () => {
    await start();
    upstream.handle((call) => call.json(openaiAnswer({ text: 'yes' })));
    rewrite('main.json', '{ "provider": ');
    await expect.poll(async () => (await ready()).body).toContain('main.json');
    expect((await ask()).status).toBe(200);
    expect((await ready()).body).not.toContain('a-key-of-the-operator');
  });

  it('stops serving a file that is removed', async () => {
    await start({ 'configs/other.json': plan() });
    upstream.handle((call) => call.json(openaiAnswer({ text: 'yes' })));
    const other = (): Promise<Response> =>
      fetch(`${gateway.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-gw-config': 'other' },
        body: '{"model":"m","messages":[]}',
      });
    expect((await other()).status).toBe(200);
    rmSync(path.join(gateway.folder, 'configs/other.json'));
    await expect.poll(async () => (await other()).status).toBe(404);
  });
});
