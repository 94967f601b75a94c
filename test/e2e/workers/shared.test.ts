import { Agent } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { GatewayProcess } from '../../support/gateway-process.ts';
import { patience } from '../../support/patience.ts';
import { startUpstream, type TestUpstream } from '../../support/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';
import { startWeather } from '../responses/weather-loop.ts';
import { type Answered, type AskOptions, ask, startWorkers, workersOf } from './worker-processes.ts';

let upstream: TestUpstream;
let gateway: GatewayProcess;
const agents = new Set<Agent>();

const leaf = (more: object = {}): object => ({
  provider: 'openai',
  api_key: '${env:KEY}',
  custom_host: `${upstream.origin}/v1`,
  ...more,
});
const start = async (config: object): Promise<void> => {
  gateway = await startWorkers({ configs: { main: config }, env: { KEY: 'a-key' } });
};

beforeAll(async () => {
  upstream = await startUpstream();
});
afterAll(() => upstream.close());
afterEach(async () => {
  for (const agent of agents) agent.destroy();
  agents.clear();
  await gateway.stop();
});

type AskWorker = (options?: AskOptions) => Promise<Answered>;

/** A way to each of the workers: a connection that is kept. */
const eachWorker = async (): Promise<readonly AskWorker[]> => {
  const ways = new Map<number, AskWorker>();
  const count = workersOf(gateway).length;
  while (ways.size < count) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    agents.add(agent);
    const { worker } = await ask(gateway, { agent, headers: { 'x-gw-config': '{"provider":"echo"}' } });
    if (ways.has(worker)) agent.destroy();
    else ways.set(worker, (options = {}) => ask(gateway, { ...options, agent }));
  }
  return [...ways.values()];
};

const callsTo = (model: string): number =>
  upstream.requests.filter((request) => request.body.toString().includes(`"model":"${model}"`)).length;

describe('the circuit of a target', () => {
  const guarded = (model: string): object =>
    leaf({
      override_params: { model },
      cb_config: { failure_threshold: 3, cooldown_interval: 600_000, failure_status_codes: [500] },
    });
  const fallback = (shaky: object): object => ({
    strategy: { mode: 'fallback' },
    targets: [shaky, leaf({ override_params: { model: 'steady' } })],
  });
  const handle = (): void => {
    upstream.handle((call) => {
      if (call.request.json().model === 'shaky') call.json({ error: { message: 'no' } }, { status: 500 });
      else call.json(openaiAnswer({ text: 'yes' }));
    });
  };

  it('is one for all workers: the failures that each of them sees open it', async () => {
    await start(fallback(guarded('shaky')));
    handle();
    const ways = await eachWorker();
    const before = callsTo('shaky');
    for (const way of ways) expect((await way()).status).toBe(200);
    expect(callsTo('shaky') - before).toBe(3);
    // The word of the third failure may still be on its way to the others.
    await expect
      .poll(async () => {
        const calls = callsTo('shaky');
        for (const way of ways) await way();
        return callsTo('shaky') - calls;
      }, patience)
      .toBe(0);
  });

  it('is open for a worker that joins', async () => {
    await start(fallback(guarded('shaky')));
    handle();
    const before = new Set(workersOf(gateway));
    const ways = await eachWorker();
    for (const way of ways) await way();
    process.kill([...before][0] ?? 0, 'SIGKILL');
    let joined: Answered | undefined;
    await expect
      .poll(async () => {
        const calls = callsTo('shaky');
        const answer = await ask(gateway).catch(() => undefined);
        if (answer !== undefined && !before.has(answer.worker)) joined = answer;
        return joined !== undefined && callsTo('shaky') === calls;
      }, patience)
      .toBe(true);
  });
});

describe('the cache in memory', () => {
  it('is one for all workers', async () => {
    await start(leaf({ cache: { mode: 'simple' } }));
    let made = 0;
    upstream.handle((call) => {
      made += 1;
      call.json(openaiAnswer({ text: `answer ${made}` }));
    });
    const ways = await eachWorker();
    const [first = ways[0] as AskWorker] = ways;
    const { text } = await first();
    expect(text).toContain('answer 1');
    for (const way of ways) await expect.poll(async () => (await way()).text, patience).toBe(text);
    expect(made).toBe(1);
  });

  it('makes one call of equal requests that come to several workers at once', async () => {
    await start(leaf({ cache: { mode: 'simple' } }));
    const go = Promise.withResolvers<void>();
    let made = 0;
    upstream.handle(async (call) => {
      made += 1;
      await go.promise;
      call.json(openaiAnswer({ text: `answer ${made}` }));
    });
    const ways = await eachWorker();
    const answers = Promise.all(ways.map((way) => way()));
    await expect.poll(() => made, patience).toBe(1);
    go.resolve();
    expect((await answers).map(({ text }) => text.includes('answer 1'))).toEqual([true, true, true]);
    expect(made).toBe(1);
  });
});

describe('the semantic cache in memory', () => {
  it('answers a question of one worker to the others, in other words', async () => {
    upstream.handle((call) => {
      const { input } = call.request.json();
      if (input === undefined) call.json(openaiAnswer({ text: 'It rains.' }));
      else call.json({ object: 'list', data: [{ object: 'embedding', index: 0, embedding: [3, 4] }], usage: {} });
    });
    const vectors = { provider: 'openai', credential: { api_key: '${env:KEY}' } };
    gateway = await startWorkers({
      configs: { main: leaf({ cache: { mode: 'semantic' } }) },
      settings: {
        providers: { vectors: { ...vectors, settings: { custom_host: `${upstream.origin}/v1` } } },
        cache: { semantic: { provider: '@vectors', model: 'm', timeout_ms: 5000 } },
      },
      env: { KEY: 'a-key' },
    });
    const [first, second] = (await eachWorker()) as [AskWorker, AskWorker];
    /** Whether a provider was called for a question. */
    const isAsked = async (way: AskWorker, content: string): Promise<boolean> => {
      const chats = () => upstream.requests.filter(({ path }) => path.endsWith('/chat/completions')).length;
      const before = chats();
      await way({ body: { model: 'm', messages: [{ role: 'user', content }] } });
      return chats() > before;
    };
    expect(await isAsked(first, 'How is the weather in Graz today?')).toBe(true);
    // Its vector is made a moment later.
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
    const weather = await startWeather();
    onTestFinished(() => weather.close());
    await start({ provider: 'google', api_key: '${env:KEY}', custom_host: weather.origin });
    const before = new Set(workersOf(gateway));
    const [first, second] = (await eachWorker()) as [AskWorker, AskWorker];
    const asking = (input: unknown): AskOptions => ({
      path: '/v1/responses',
      body: { model: 'gemini-3-pro-preview', input },
    });
    const question = { role: 'user', content: 'How is the weather in Graz?' };
    const { output } = JSON.parse((await first(asking([question]))).text);
    const { id } = output.find(({ type }: { type: string }) => type === 'message');
    const named = asking([question, { type: 'item_reference', id }, { role: 'user', content: 'And now?' }]);
    // The others may hear of it a moment later.
    await expect.poll(async () => (await second(named)).status, patience).toBe(200);
    process.kill([...before][0] ?? 0, 'SIGKILL');
    const joined = async (): Promise<boolean> => {
      const answer = await ask(gateway, named).catch(() => undefined);
      return answer !== undefined && !before.has(answer.worker) && answer.status === 200;
    };
    await expect.poll(joined, patience).toBe(true);
  });
});
