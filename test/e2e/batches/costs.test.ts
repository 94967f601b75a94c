import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import type { GatewayProcess } from '../../support/gateways/gateway-process.ts';
import { callControl, control, serveStore } from '../../support/gateways/stored-gateway.ts';
import { startUpstream, type TestUpstream, type UpstreamHandler } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';
import { makePolicy, readUsed } from '../limits/support/limited-gateway.ts';
import { type BatchView, batchClient, toLines } from './support/batch-client.ts';

const answer = openaiAnswer({ text: 'Hello!' });

/** Breaks off the first answer to each request, of which the provider may have charged all. */
const cutOnce = (): UpstreamHandler => {
  const seen = new Set<string>();
  return (call) => {
    const text = call.request.text();
    if (seen.has(text)) return call.json(answer);
    seen.add(text);
    call.answer({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(answer), cutAfter: 60 });
  };
};

const prices = { openai: { '*': { input: 1, output: 1 } } };

const serve = (folder: string): Promise<GatewayProcess> =>
  serveStore('gateway.db', { folder, files: { 'gateway.json': { prices } } });

/** Starts an upstream, and saves it in a gateway under `main`. Creates a budget for all requests, and returns its id. */
const prepare = async (
  gateway: GatewayProcess,
  handler: UpstreamHandler,
): Promise<{ readonly upstream: TestUpstream; readonly budget: string }> => {
  const upstream = await startUpstream(handler);
  onTestFinished(() => upstream.close());
  const settings = { custom_host: `${upstream.origin}/v1` };
  await control(gateway, 'POST /providers', {
    body: { name: 'Main', slug: 'main', provider: 'openai', credential: { api_key: 'sk-main' }, settings },
  });
  return { upstream, budget: await makePolicy(gateway, 'usage-limits', { type: 'cost', credit_limit: 100 }) };
};

const toNano = (dollars: number): number => Math.round(dollars * 1e9);

/** Expects that a batch costs what the ledger has, and what the budget counts. Returns the number of attempts. */
const expectEqualCosts = async (gateway: GatewayProcess, budget: string, { cost }: BatchView): Promise<number> => {
  const { summary } = JSON.parse((await callControl(gateway, 'GET /usage')).text);
  expect(toNano(cost)).toBe(Number(summary.nano_usd));
  expect(Object.values(await readUsed(gateway, budget)).map(toNano)).toEqual([toNano(cost)]);
  return summary.attempts;
};

it.each([
  ['retried by the batch', undefined],
  ['retried by its config', { provider: '@main', retry: { attempts: 1 } }],
  [
    'sent to a second target',
    { strategy: { mode: 'fallback' }, targets: [{ provider: '@main' }, { provider: '@main', retry: { attempts: 0 } }] },
  ],
])('a batch costs what ledger and limits count if its lines are %s', async (_, config) => {
  const gateway = await serve(temporaryFolder());
  const { upstream, budget } = await prepare(gateway, cutOnce());
  if (config !== undefined) await control(gateway, 'POST /configs', { body: { name: 'lines', slug: 'lines', config } });
  const { upload, create, over } = batchClient(() => gateway, config === undefined ? {} : { 'x-gw-config': 'lines' });
  const count = 3;
  const { id } = await create(await upload(toLines(count)));
  const batch = await over(id, { count });
  expect(batch.request_counts).toEqual({ total: count, completed: count, failed: 0 });
  expect(upstream.requests).toHaveLength(2 * count);
  expect(await expectEqualCosts(gateway, budget, batch)).toBe(2 * count);
});

it('a batch costs what ledger and limits count if the gateway stops while its lines run', async () => {
  const folder = temporaryFolder();
  let gateway = await serve(folder);
  let answered = 0;
  const { upstream, budget } = await prepare(gateway, (call) => {
    answered += 1;
    // The third line is cut off.
    if (answered !== 3) call.json(answer);
  });
  const { upload, create, over } = batchClient(() => gateway);
  const count = 3;
  const { id } = await create(await upload(toLines(count)));
  await expect.poll(() => upstream.requests.length).toBe(count);
  gateway.signal('SIGTERM');
  await gateway.exited;
  gateway = await serve(folder);
  const batch = await over(id, { count });
  expect(upstream.requests).toHaveLength(2 * count);
  expect(await expectEqualCosts(gateway, budget, batch)).toBe(2 * count);
});
