import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { GatewayProcess } from '../../support/gateways/gateway-process.ts';
import { patience } from '../../support/run/patience.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';
import { ask, readReady, startWorkers, type WorkersStart, workersOf } from './worker-processes.ts';

let upstream: TestUpstream;
let gateway: GatewayProcess;

const start = async (more: Partial<WorkersStart> = {}): Promise<void> => {
  const leaf = { provider: 'openai', api_key: '${env:KEY}', custom_host: `${upstream.origin}/v1` };
  const main = { ...leaf, override_params: { model: 'm' } };
  gateway = await startWorkers({ workers: 2, configs: { main }, env: { KEY: 'a-key' }, ...more });
};

/** Starts a gateway for all tests of a `describe`. */
const startForAll = (more: Partial<WorkersStart>): void => {
  beforeAll(() => start(more));
  afterAll(() => gateway.stop());
};

/** Starts a gateway for one test. */
const startForTest = async (more: Partial<WorkersStart>): Promise<void> => {
  await start(more);
  onTestFinished(() => gateway.stop());
};

beforeAll(async () => {
  upstream = await startUpstream();
  upstream.handle((call) => call.json(openaiAnswer({ text: 'word '.repeat(200) })));
});
afterAll(() => upstream.close());

const plugins = [{ package: './naming.js' }];
const counting = { configs: 'configs', default_config: 'main', plugins, metrics: true };

const read = async (url: string): Promise<string> => {
  const answer = await fetch(url);
  expect(answer.status).toBe(200);
  return answer.text();
};
const readValue = (page: string, name: string): number =>
  page
    .split('\n')
    .filter((line) => line.startsWith(`gatewright_${name}{`) || line.startsWith(`gatewright_${name} `))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);

const sendToAll = async (workers: number): Promise<number> => {
  const seen = new Set<number>();
  let sent = 0;
  while (seen.size < workers) {
    seen.add((await ask(gateway)).worker);
    sent += 1;
  }
  return sent;
};

describe('several workers', () => {
  startForAll({ settings: counting, env: { KEY: 'a-key', GW_LOG: 'requests' } });

  it('report metrics as one sum, whichever of them answers', async () => {
    const sent = await sendToAll(2);
    for (let look = 0; look < 6; look += 1) {
      const page = await read(`${gateway.origin}/metrics`);
      expect(readValue(page, 'serving_processes')).toBe(2);
      expect(readValue(page, 'requests_total')).toBe(sent);
      expect(readValue(page, 'request_duration_seconds_count')).toBe(sent);
      expect(readValue(page, 'requests_in_flight')).toBe(0);
      expect(page.match(/^# TYPE gatewright_requests_total /gm)).toHaveLength(1);
    }
  });

  it('print one request log, without a torn line', async () => {
    await sendToAll(2);
    const before = readValue(await read(`${gateway.origin}/metrics`), 'requests_total');
    await expect.poll(() => gateway.records().length, patience).toBe(before);
    const sent = 200;
    const answers = await Promise.all(Array.from({ length: sent }, () => ask(gateway)));
    expect(new Set(answers.map(({ worker }) => worker)).size).toBeGreaterThan(1);
    await expect.poll(() => gateway.records().length, patience).toBe(before + sent);
  });

  it('report once that a file needs a reload', async () => {
    writeFileSync(path.join(gateway.folder, 'naming.js'), '// another');
    await expect.poll(() => readReady(gateway), patience).toMatchObject({ status: 'degraded' });
    const { restart } = await readReady(gateway);
    expect(restart).toEqual([expect.stringContaining('naming.js')]);
    expect(gateway.printed().match(/naming\.js/g)).toHaveLength(1);
  });
});

describe('a gateway whose file sets the number of workers', () => {
  startForAll({ workers: 3, settings: { ...counting, metrics: { port: 0 }, workers: 2 } });

  it('uses the number of the command line, which takes precedence', () => {
    expect(workersOf(gateway)).toHaveLength(3);
  });

  it('prints an example request for the default config, as one process does', async () => {
    await expect.poll(() => gateway.printed(), patience).toContain(`-d '{"model":"any","messages":`);
  });

  it('has metrics that do not decrease when a worker ends, and that have their own port', async () => {
    const origin = /Metrics are at (http:\S+\/metrics)\./.exec(gateway.printed())?.[1] ?? '';
    const sent = await sendToAll(3);
    expect(readValue(await read(origin), 'requests_total')).toBe(sent);
    process.kill(workersOf(gateway)[0] ?? 0, 'SIGKILL');
    await expect
      .poll(() => readReady(gateway).catch(() => ({})), patience)
      .toMatchObject({ workers: { crashed: 1, serving: 3 } });
    expect(readValue(await read(origin), 'requests_total')).toBe(sent);
  });
});

describe('a gateway that cannot be served by several workers', () => {
  const refusal = async (more: Partial<WorkersStart>): Promise<string> =>
    start(more).then(() => gateway.stop().then(() => 'started'), String);

  it('is refused with one sentence that states the remedy: a plugin with routes but without a store', async () => {
    const routed = `export default { name: 'routed', api: 1, routes: [{
      method: 'GET', path: '/routed', operationId: 'routed', summary: 'Answers.', scope: null,
      replies: { 200: { type: 'object' } }, handle: () => ({ status: 200, body: {} }),
    }] };`;
    const given: Partial<WorkersStart> = {
      settings: { ...counting, plugins: [{ package: './routed.js' }] },
      files: { 'routed.js': routed },
    };
    const reason = await refusal(given);
    expect(reason).toContain('The gateway ended with 1 before it listened');
    expect(reason).toContain(
      'This gateway cannot be served by 2 workers. The plugin "routed" has routes or background work',
    );
    expect(reason).toContain('Remove it, or serve with one worker.');
    await startForTest({ ...given, args: ['--store', 'gateway.db'] });
  });

  it('is refused if a receiver of its alerts is unusable, even if its store and its sinks are usable', async () => {
    const reason = await refusal({
      settings: {
        ...counting,
        store: { url: 'gateway.db' },
        log: { sinks: [{ sink: 'webhook', url: 'https://example.com/' }] },
        alerts: { to: [{ webhook: '${env:NOT_SET}' }] },
      },
    });
    expect(reason).toContain('The gateway ended with 1 before it listened');
    expect(reason).toContain('${env:NOT_SET}, which is not set.');
  });

  it('is refused if a sink of the log is unusable, with the reason once', async () => {
    const reason = await refusal({
      settings: {
        ...counting,
        store: { url: 'gateway.db' },
        log: { sinks: [{ sink: 'webhook', url: '${env:NOT_SET}' }] },
      },
    });
    expect(reason.match(/The sink "webhook" in "log\.sinks" of the gateway file refers to/g)).toHaveLength(1);
  });

  it('is refused with sinks but without a store', async () => {
    const reason = await refusal({
      settings: { ...counting, log: { sinks: [{ sink: 'webhook', url: 'https://example.com/' }] } },
    });
    expect(reason.match(/"log\.sinks" in the gateway file needs a store/g)).toHaveLength(1);
  });

  it('is refused on a port that is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const reason = await refusal({ args: ['--port', String(port)] });
    expect(reason).toContain(`Port ${port} of 127.0.0.1 is already in use.`);
  });
});

it("one worker runs in the gateway's own process", async () => {
  await startForTest({ workers: 1 });
  expect(workersOf(gateway)).toEqual([]);
  expect(await readReady(gateway)).not.toHaveProperty('workers');
});
