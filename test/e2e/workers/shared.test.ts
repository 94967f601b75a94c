import { Agent } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { GatewayProcess } from '../../support/gateways/gateway-process.ts';
import { patience } from '../../support/run/patience.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';
import { startWeather } from '../responses/weather-loop.ts';
import { type Answered, type AskOptions, ask as askOnce, startWorkers, workersOf } from './worker-processes.ts';

let upstream: TestUpstream;
/** The upstream for questions about the weather. */
let weather: TestUpstream;
let gateway: GatewayProcess;
const agents = new Set<Agent>();

const leaf = (more: object = {}): object => ({
  provider: 'openai',
  api_key: '${env:KEY}',
  custom_host: `${upstream.origin}/v1`,
  ...more,
});

/** A fallback from a target that fails and is then skipped because of its circuit. */
const guarded = (model: string): object => ({
  strategy: { mode: 'fallback' },
  targets: [
    leaf({
      override_params: { model },
      cb_config: { failure_threshold: 3, cooldown_interval: 600_000, failure_status_codes: [500] },
    }),
    leaf({ override_params: { model: 'steady' } }),
  ],
});

beforeAll(async () => {
  upstream = await startUpstream();
  weather = await startWeather();
  const vectors = { provider: 'openai', credential: { api_key: '${env:KEY}' } };
  gateway = await startWorkers({
    configs: {
      main: { provider: 'echo' },
      guarded: guarded('shaky'),
      'guarded-too': guarded('shaky-too'),
      cached: leaf({ cache: { mode: 'simple' } }),
      'cached-at-once': leaf({ cache: { mode: 'simple' }, override_params: { user: 'at once' } }),
      semantic: leaf({ cache: { mode: 'semantic' } }),
      weather: { provider: 'google', api_key: '${env:KEY}', custom_host: weather.origin },
    },
    settings: {
      providers: { vectors: { ...vectors, settings: { custom_host: `${upstream.origin}/v1` } } },
      cache: { semantic: { provider: '@vectors', model: 'm', timeout_ms: 5000 } },
    },
    env: { KEY: 'a-key' },
  });
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all([upstream.close(), weather.close()]);
});
afterEach(() => {
  for (const agent of agents) agent.destroy();
  agents.clear();
});

/** Sends a request by one of the configs. */
const ask = (config: string, options: AskOptions = {}): Promise<Answered> =>
  askOnce(gateway, { ...options, headers: { 'x-gw-config': config } });

type AskWorker = (options?: AskOptions) => Promise<Answered>;

/** Returns a function for each worker that sends requests by one of the configs, on a connection that is kept open. */
const eachWorker = async (config: string): Promise<readonly AskWorker[]> => {
  const ways = new Map<number, AskWorker>();
  const count = workersOf(gateway).length;
  while (ways.size < count) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    agents.add(agent);
    const { worker } = await ask('main', { agent });
    if (ways.has(worker)) agent.destroy();
    else ways.set(worker, (options = {}) => ask(config, { ...options, agent }));
  }
  return [...ways.values()];
};

const callsTo = (model: string): number =>
  upstream.requests.filter((request) => request.body.toString().includes(`"model":"${model}"`)).length;

describe('the circuit of a target', () => {
  const handle = (): void => {
    upstream.handle((call) => {
      if (call.request.json().model !== 'steady') call.json({ error: { message: 'no' } }, { status: 500 });
      else call.json(openaiAnswer({ text: 'yes' }));
    });
  };

  it('is shared by all workers: the failures that each of them sees open it together', async () => {
    handle();
    const ways = await eachWorker('guarded');
    const before = callsTo('shaky');
    for (const way of ways) expect((await way()).status).toBe(200);
    expect(callsTo('shaky') - before).toBe(3);
    // The notice of the third failure may still be on its way to the others.
    await expect
      .poll(async () => {
        const calls = callsTo('shaky');
        for (const way of ways) await way();
        return callsTo('shaky') - calls;
      }, patience)
      .toBe(0);
  });

  it('is open for a worker that joins', async () => {
    handle();
    const before = new Set(workersOf(gateway));
    const ways = await eachWorker('guarded-too');
    for (const way of ways) await way();
    process.kill([...before][0] ?? 0, 'SIGKILL');
    let joined: Answered | undefined;
    await expect
      .poll(async () => {
        const calls = callsTo('shaky-too');
        const answer = await ask('guarded-too').catch(() => undefined);
        if (answer !== undefined && !before.has(answer.worker)) joined = answer;
        return joined !== undefined && callsTo('shaky-too') === calls;
      }, patience)
      .toBe(true);
  });
});

describe('the in-memory cache', () => {
  it('is shared by all workers', async () => {
    let made = 0;
    upstream.handle((call) => {
      made += 1;
      call.json(openaiAnswer({ text: `answer ${made}` }));
    });
    const ways = await eachWorker('cached');
    const [first = ways[0] as AskWorker] = ways;
    const { text } = await first();
    expect(text).toContain('answer 1');
    for (const way of ways) await expect.poll(async () => (await way()).text, patience).toBe(text);
    expect(made).toBe(1);
  });

  it('makes one call for equal requests that reach several workers at the same time', async () => {
    const go = Promise.withResolvers<void>();
    let made = 0;
    upstream.handle(async (call) => {
      made += 1;
      await go.promise;
      call.json(openaiAnswer({ text: `answer ${made}` }));
    });
    const ways = await eachWorker('cached-at-once');
    const answers = Promise.all(ways.map((way) => way()));
    await expect.poll(() => made, patience).toBe(1);
    go.resolve();
    expect((await answers).map(({ text }) => text.includes('answer 1'))).toEqual([true, true, true]);
    expect(made).toBe(1);
  });
});

describe('the in-memory semantic cache', () => {
  it('answers a rephrased question of one worker at the others', async () => {
    upstream.handle((call) => {
      const { input } = call.request.json();
      if (input === undefined) call.json(openaiAnswer({ text: 'It rains.' }));
      else call.json({ object: 'list', data: [{ object: 'embedding', index: 0, embedding: [3, 4] }], usage: {} });
    });
    const [first, second] = (await eachWorker('semantic')) as [AskWorker, AskWorker];
    /** Whether a provider was called for a question. */
    const isAsked = async (way: AskWorker, content: string): Promise<boolean> => {
      const chats = () => upstream.requests.filter(({ path }) => path.endsWith('/chat/completions')).length;
      const before = chats();
      await way({ body: { model: 'm', messages: [{ role: 'user', content }] } });
      return chats() > before;
    };
    expect(await isAsked(first, 'How is the weather in Graz today?')).toBe(true);
    // Its vector is created a moment later.
    let spaces = ' ';
    await expect
      .poll(() => {
        spaces += ' ';
        return isAsked(first, `How is the weather in${spaces}Graz today?`);
      }, patience)
      .toBe(false);
    expect(await isAsked(second, 'How is   the weather in Graz today?')).toBe(false);
  });
});

describe('items that a request names', () => {
  it('are known to the other workers, and to one that joins', async () => {
    const before = new Set(workersOf(gateway));
    const [first, second] = (await eachWorker('weather')) as [AskWorker, AskWorker];
    const asking = (input: unknown): AskOptions => ({
      path: '/v1/responses',
      body: { model: 'gemini-3-pro-preview', input },
    });
    const question = { role: 'user', content: 'How is the weather in Graz?' };
    const { output } = JSON.parse((await first(asking([question]))).text);
    const { id } = output.find(({ type }: { type: string }) => type === 'message');
    const named = asking([question, { type: 'item_reference', id }, { role: 'user', content: 'And now?' }]);
    // The others may learn about it a moment later.
    await expect.poll(async () => (await second(named)).status, patience).toBe(200);
    process.kill([...before][0] ?? 0, 'SIGKILL');
    const joined = async (): Promise<boolean> => {
      const answer = await ask('weather', named).catch(() => undefined);
      return answer !== undefined && !before.has(answer.worker) && answer.status === 200;
    };
    await expect.poll(joined, patience).toBe(true);
  });
});
