import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { GatewayProcess } from '../../support/gateways/gateway-process.ts';
import { patience } from '../../support/run/patience.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';
import { ask, readReady, startWorkers, stillRunning, workersOf } from './worker-processes.ts';

/**
 * For a long run: WORKER_KILLS=50 WORKER_KILL_MS=2600 WORKER_SWAPS=20 WORKER_STOPS=20. Five kills within ten seconds count as
 * a crash loop.
 */
const kills = Number(process.env.WORKER_KILLS ?? 2);
const betweenKillsMs = Number(process.env.WORKER_KILL_MS ?? 0);
const swaps = Number(process.env.WORKER_SWAPS ?? 1);
const stops = Number(process.env.WORKER_STOPS ?? 1);
const longMs = 90_000 + kills * (betweenKillsMs + 5000) + (swaps + stops) * 100_000;

const workers = 2;

/** Long enough for all workers to start one after the other. */
const swapPatience = { timeout: workers * patience.timeout };

/** The pause between two requests of a client, so that the load does not use the whole machine. */
const pauseMs = 10;

let upstream: TestUpstream;
let gateway: GatewayProcess;

const start = async (): Promise<void> => {
  const main = { provider: 'openai', api_key: '${env:KEY}', custom_host: `${upstream.origin}/v1` };
  const settings = { limits: { drain_delay_ms: 1500 } };
  gateway = await startWorkers({ workers, configs: { main }, env: { KEY: 'a-key' }, drainDelay: true, settings });
};

beforeAll(async () => {
  upstream = await startUpstream();
  upstream.handle((call) => call.json(openaiAnswer({ text: 'word '.repeat(200) })));
  await start();
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

/** Runs something repeatedly, several at a time, until the returned function is called. */
const again = (several: number, run: () => Promise<unknown>): (() => Promise<void>) => {
  let isOver = false;
  const running = Array.from({ length: several }, async () => {
    while (!isOver) {
      await run();
      await setTimeout(pauseMs);
    }
  });
  return async () => {
    isOver = true;
    await Promise.all(running);
  };
};

it('a killed worker causes no refused connection, and affects no request of the others', {
  timeout: longMs,
}, async () => {
  const killed = new Set<number>();
  let [refused, touched, served] = [0, 0, 0];
  const port = Number(new URL(gateway.origin).port);
  const stopConnecting = again(
    2,
    () =>
      new Promise<void>((resolve) => {
        const socket = connect(port, '127.0.0.1', () => socket.end());
        socket.once('error', (error: NodeJS.ErrnoException) => {
          // A connection that the killed worker had accepted is torn.
          if (error.code === 'ECONNREFUSED') refused += 1;
        });
        socket.once('close', () => resolve());
        socket.resume();
      }),
  );
  const stopAsking = again(4, () =>
    ask(gateway).then(
      ({ status, worker, isWhole }) => {
        served += 1;
        if ((status !== 200 || !isWhole) && !killed.has(worker)) touched += 1;
      },
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'ECONNREFUSED') refused += 1;
      },
    ),
  );
  for (let kill = 1; kill <= kills; kill += 1) {
    const [victim = 0] = workersOf(gateway);
    killed.add(victim);
    process.kill(victim, 'SIGKILL');
    await expect
      .poll(() => readReady(gateway).catch(() => ({})), patience)
      .toMatchObject({ workers: { serving: workers, crashed: kill } });
    await setTimeout(betweenKillsMs);
  }
  await Promise.all([stopConnecting(), stopAsking()]);
  expect([refused, touched]).toEqual([0, 0]);
  expect(served).toBeGreaterThan(kills);
});

it('SIGUSR2 replaces all workers one by one, without a failed request', { timeout: longMs }, async () => {
  const { crashed } = (await readReady(gateway)).workers as { readonly crashed: number };
  const outcomes = new Set<unknown>();
  const pages = new Set<unknown>();
  const stopAsking = again(6, async () =>
    outcomes.add(await ask(gateway).then(({ status, isWhole }) => isWhole && status, String)),
  );
  const stopProbing = again(1, async () => pages.add(await readReady(gateway).then(({ code }) => code, String)));
  for (let swap = 1; swap <= swaps; swap += 1) {
    const before = workersOf(gateway);
    gateway.signal('SIGUSR2');
    await expect.poll(() => stillRunning(before), swapPatience).toEqual([]);
    await expect.poll(() => gateway.printed().match(/All workers were replaced\./g)?.length, patience).toBe(swap);
  }
  await Promise.all([stopAsking(), stopProbing()]);
  expect([[...outcomes], [...pages]]).toEqual([[200], [200]]);
  expect(workersOf(gateway).length).toBe(workers);
  expect(await readReady(gateway)).toMatchObject({ status: 'ready', workers: { serving: workers, crashed } });
});

/** This test comes last because it stops the gateway. */
it('SIGTERM behind a load balancer that sends probes fails no request', { timeout: longMs }, async () => {
  for (let stop = 1; stop <= stops; stop += 1) {
    if (stop > 1) await start();
    let isUp = true;
    const outcomes = new Set<unknown>();
    const stopProbing = again(1, async () => {
      isUp = (await readReady(gateway).then(({ code }) => code, String)) === 200;
    });
    const stopAsking = again(6, async () => {
      if (isUp) outcomes.add(await ask(gateway).then(({ status, isWhole }) => isWhole && status, String));
    });
    await expect.poll(() => outcomes.size, patience).toBe(1);
    gateway.signal('SIGTERM');
    expect(await gateway.exited).toBe(0);
    await Promise.all([stopProbing(), stopAsking()]);
    expect([...outcomes]).toEqual([200]);
    if (stop < stops) await gateway.stop();
  }
});
