import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { GatewayProcess } from '../../support/gateway-process.ts';
import { patience } from '../../support/patience.ts';
import { adminKey, control } from '../../support/stored-gateway.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { gatewayFile, limitedGateway, makePolicy, readUsed, serveLimited } from '../limits/support/limited-gateway.ts';
import { type Answered, ask, namingPlugin, workersOf } from './worker-processes.ts';

const workers = 4;
const several = 8;

interface Rows {
  readonly gateway: GatewayProcess;
  readonly policy: string;
  /** Sends one request; nothing comes of one that is torn. */
  send(): Promise<Answered | undefined>;
  /** All answers so far. */
  readonly answers: readonly (Answered | undefined)[];
}

const start = async (): Promise<Rows> => {
  const store = path.join(temporaryFolder(), 'gateway.db');
  const files = {
    'package.json': { type: 'module' },
    'naming.js': namingPlugin,
    'gateway.json': { ...gatewayFile, plugins: [{ package: './naming.js' }] },
  };
  const { gateway: first, key } = await limitedGateway(store);
  const policy = await makePolicy(first, 'usage-limits', { type: 'tokens', credit_limit: 1_000_000 });
  await first.stop();
  const gateway = await serveLimited(store, { files, args: ['--workers', String(workers)] });
  await expect.poll(() => workersOf(gateway).length, patience).toBe(workers);
  const answers: (Answered | undefined)[] = [];
  const send = async (): Promise<Answered | undefined> => {
    const answer = await ask(gateway, {
      headers: { 'x-gw-api-key': key.key, 'x-gw-provider': '@main' },
      body: { model: 'priced', max_tokens: 10, messages: [{ role: 'user', content: '{"input":3,"output":4}' }] },
    }).catch(() => undefined);
    answers.push(answer);
    return answer;
  };
  return { gateway, policy, send, answers };
};

interface Usage {
  readonly requests: number;
  readonly attempts: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
}

const readUsage = async (gateway: GatewayProcess): Promise<Usage> => {
  const { summary } = await control(gateway, 'GET /usage');
  return summary as Usage;
};

const countRecords = async (gateway: GatewayProcess): Promise<number> => {
  const answer = await fetch(`${gateway.baseUrl}/logs/export`, { headers: { 'x-gw-api-key': adminKey } });
  return (await answer.text()).split('\n').filter((line) => line !== '').length;
};

const readCounter = async ({ gateway, policy }: Rows): Promise<number | undefined> =>
  Object.values(await readUsed(gateway, policy))[0];

const isServed = (answer: Answered | undefined): answer is Answered => answer?.status === 200 && answer.isWhole;

describe('four workers with a SQLite store, keys, the ledger, the log and a policy', () => {
  it('have a row of each request in the ledger and in the log, and one counter', async () => {
    const rows = await start();
    const { gateway, send, answers } = rows;
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
    await expect.poll(() => readCounter(rows), patience).toBe(7 * served);
    await expect
      .poll(() => readUsage(gateway), patience)
      .toMatchObject({ requests: served, attempts: served, input_tokens: 3 * served, output_tokens: 4 * served });
    await expect.poll(() => countRecords(gateway), patience).toBe(served);
  });

  it('lose of a worker that is killed no attempt, and no more of the log than what it had not handed over', async () => {
    const rows = await start();
    const { gateway, send, answers } = rows;
    const load = Array.from({ length: several }, async () => {
      while (answers.length < 300) await send();
    });
    await expect.poll(() => answers.length, patience).toBeGreaterThan(100);
    const [killed = 0] = workersOf(gateway);
    process.kill(killed, 'SIGKILL');
    await Promise.all(load);
    const served = answers.filter(isServed);
    const torn = answers.length - served.length;
    expect(torn).toBeLessThanOrEqual(several);
    // What the killed worker had reserved counts, as it was reserved.
    await expect.poll(async () => (await readUsage(gateway)).attempts, patience).toBeGreaterThanOrEqual(served.length);
    const { attempts, input_tokens, output_tokens } = await readUsage(gateway);
    expect(attempts).toBeLessThanOrEqual(answers.length);
    expect(await readCounter(rows)).toBe(input_tokens + output_tokens);
    const ofOthers = served.filter(({ worker }) => worker !== killed).length;
    await expect.poll(() => countRecords(gateway), patience).toBeGreaterThanOrEqual(ofOthers);
    expect(await countRecords(gateway)).toBeLessThanOrEqual(answers.length);
  });

  it('serve while the owner hangs, and count what was served when it goes on', async () => {
    const rows = await start();
    const { gateway, send, answers } = rows;
    await Promise.all(Array.from({ length: several }, send));
    process.kill(gateway.pid, 'SIGSTOP');
    try {
      for (let round = 0; round < 3; round += 1) await Promise.all(Array.from({ length: several }, send));
    } finally {
      process.kill(gateway.pid, 'SIGCONT');
    }
    const served = answers.length;
    expect(answers.filter(isServed).length).toBe(served);
    await expect.poll(() => readCounter(rows), patience).toBe(7 * served);
    await expect.poll(async () => (await readUsage(gateway)).attempts, patience).toBe(served);
    await expect.poll(() => countRecords(gateway), patience).toBe(served);
  });
});
