import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type GatewayProcess, startGateway, writeFolder } from '../../support/gateways/gateway-process.ts';
import { adminKey, control, makeKey } from '../../support/gateways/stored-gateway.ts';
import { enoughOfDay } from '../../support/run/enough-of-day.ts';
import { patience } from '../../support/run/patience.ts';
import type { TestUpstream } from '../../support/servers/upstream-server.ts';
import {
  gatewayFile,
  makePolicy,
  readUsed,
  saveTarget,
  startScriptedUpstream,
} from '../limits/support/limited-gateway.ts';
import { type Answered, ask, namingPlugin, workersOf } from './worker-processes.ts';

const workers = 3;
const several = 8;

let upstream: TestUpstream;
let gateway: GatewayProcess;
let [key, policy] = ['', ''];

beforeAll(async () => {
  upstream = await startScriptedUpstream();
  const folder = writeFolder({
    'package.json': { type: 'module' },
    'naming.js': namingPlugin,
    'gateway.json': { ...gatewayFile, plugins: [{ package: './naming.js' }] },
  });
  const serve = (...args: readonly string[]): Promise<GatewayProcess> =>
    startGateway({
      ...{ folder, env: { GW_ADMIN_KEY: adminKey } },
      args: ['--config', 'gateway.json', '--store', 'gateway.db', ...args],
    });
  const first = await serve();
  await saveTarget(first, { upstream });
  ({ key } = await makeKey(first, 'limited'));
  policy = await makePolicy(first, 'usage-limits', { type: 'tokens', credit_limit: 1_000_000 });
  await first.stop();
  await enoughOfDay();
  gateway = await serve('--workers', String(workers));
  await vi.waitFor(() => expect(workersOf(gateway).length).toBe(workers), patience);
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
  rmSync(gateway.folder, { recursive: true, force: true });
});

interface Sending {
  /** Sends one request. Resolves with undefined if it is torn. */
  send(): Promise<Answered | undefined>;
  /** All answers so far. */
  readonly answers: readonly (Answered | undefined)[];
}

const sending = (): Sending => {
  const answers: (Answered | undefined)[] = [];
  const send = async (): Promise<Answered | undefined> => {
    const answer = await ask(gateway, {
      headers: { 'x-gw-api-key': key, 'x-gw-provider': '@main' },
      body: { model: 'priced', max_tokens: 10, messages: [{ role: 'user', content: '{"input":3,"output":4}' }] },
    }).catch(() => undefined);
    answers.push(answer);
    return answer;
  };
  return { send, answers };
};

interface Usage {
  readonly requests: number;
  readonly attempts: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
}

const readUsage = async (): Promise<Usage> => {
  const { summary } = await control(gateway, 'GET /usage');
  return summary as Usage;
};

const countRecords = async (): Promise<number> => {
  const answer = await fetch(`${gateway.baseUrl}/logs/export`, { headers: { 'x-gw-api-key': adminKey } });
  return (await answer.text()).split('\n').filter((line) => line !== '').length;
};

const readCounter = async (): Promise<number> => Object.values(await readUsed(gateway, policy))[0] ?? 0;

const isServed = (answer: Answered | undefined): answer is Answered => answer?.status === 200 && answer.isWhole;

describe('workers with an SQLite store, keys, the ledger, the log and a policy', () => {
  it('have one row for each request in the ledger and in the log, and one counter', async () => {
    const { send, answers } = sending();
    const seen = new Set<number | undefined>();
    await expect
      .poll(async () => {
        for (const answer of await Promise.all(Array.from({ length: several }, send))) seen.add(answer?.worker);
        return seen.size;
      }, patience)
      .toBe(workers);
    for (let round = 0; round < 10; round += 1) await Promise.all(Array.from({ length: several }, send));
    const served = answers.length;
    expect(answers.filter(isServed).length).toBe(served);
    await expect.poll(readCounter, patience).toBe(7 * served);
    await expect
      .poll(readUsage, patience)
      .toMatchObject({ requests: served, attempts: served, input_tokens: 3 * served, output_tokens: 4 * served });
    await expect.poll(countRecords, patience).toBe(served);
  });

  it('serve while the owner hangs, and count those requests when it continues', async () => {
    const [counter, { attempts }, records] = await Promise.all([readCounter(), readUsage(), countRecords()]);
    const { send, answers } = sending();
    await Promise.all(Array.from({ length: several }, send));
    process.kill(gateway.pid, 'SIGSTOP');
    try {
      for (let round = 0; round < 3; round += 1) await Promise.all(Array.from({ length: several }, send));
    } finally {
      process.kill(gateway.pid, 'SIGCONT');
    }
    const served = answers.length;
    expect(answers.filter(isServed).length).toBe(served);
    await expect.poll(readCounter, patience).toBe(counter + 7 * served);
    await expect.poll(async () => (await readUsage()).attempts, patience).toBe(attempts + served);
    await expect.poll(countRecords, patience).toBe(records + served);
  });

  it('lose no attempt of a killed worker, and only log records that it had not handed over', async () => {
    const [before, records] = await Promise.all([readUsage(), countRecords()]);
    const { send, answers } = sending();
    const load = Array.from({ length: several }, async () => {
      while (answers.length < 200) await send();
    });
    await expect.poll(() => answers.length, patience).toBeGreaterThan(60);
    const [killed = 0] = workersOf(gateway);
    process.kill(killed, 'SIGKILL');
    await Promise.all(load);
    const served = answers.filter(isServed);
    const torn = answers.length - served.length;
    expect(torn).toBeLessThanOrEqual(several);
    // The reservations of the killed worker count as they were reserved.
    const readAttempts = async (): Promise<number> => (await readUsage()).attempts - before.attempts;
    await expect.poll(readAttempts, patience).toBeGreaterThanOrEqual(served.length);
    expect(await readAttempts()).toBeLessThanOrEqual(answers.length);
    const { input_tokens, output_tokens } = await readUsage();
    expect(await readCounter()).toBe(input_tokens + output_tokens);
    const ofOthers = served.filter(({ worker }) => worker !== killed).length;
    await expect.poll(countRecords, patience).toBeGreaterThanOrEqual(records + ofOthers);
    expect(await countRecords()).toBeLessThanOrEqual(records + answers.length);
  });
});
