import { expect, it, onTestFinished } from 'vitest';
import { callControl, control, serveStore } from '../../support/stored-gateway.ts';
import { startUpstream, type UpstreamHandler } from '../../support/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';
import { makePolicy, readUsed } from '../limits/support/limited-gateway.ts';
import { batchClient, toLine } from './support/batch-client.ts';

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

it.each([
  ['retried by the batch', undefined],
  ['retried by its config', { provider: '@main', retry: { attempts: 1 } }],
  [
    'sent to a second target',
    { strategy: { mode: 'fallback' }, targets: [{ provider: '@main' }, { provider: '@main', retry: { attempts: 0 } }] },
  ],
])('a batch costs what ledger and limits count if its lines are %s', async (_, config) => {
  const upstream = await startUpstream(cutOnce());
  onTestFinished(() => upstream.close());
  const gateway = await serveStore('gateway.db', { files: { 'gateway.json': { prices } } });
  const settings = { custom_host: `${upstream.origin}/v1` };
  await control(gateway, 'POST /providers', {
    body: { name: 'Main', slug: 'main', provider: 'openai', credential: { api_key: 'sk-main' }, settings },
  });
  if (config !== undefined) await control(gateway, 'POST /configs', { body: { name: 'lines', slug: 'lines', config } });
  const policy = await makePolicy(gateway, 'usage-limits', { type: 'cost', credit_limit: 100 });
  const { upload, create, over } = batchClient(() => gateway, config === undefined ? {} : { 'x-gw-config': 'lines' });
  const count = 3;
  const { id } = await create(await upload(Array.from({ length: count }, (_, at) => toLine(at)).join('')));
  const batch = await over(id, { count });
  expect(batch.request_counts).toEqual({ total: count, completed: count, failed: 0 });
  expect(upstream.requests).toHaveLength(2 * count);
  const { summary } = JSON.parse((await callControl(gateway, 'GET /usage')).text);
  expect(summary.attempts).toBe(2 * count);
  expect(Math.round(batch.cost * 1e9)).toBe(Number(summary.nano_usd));
  const used = Object.values(await readUsed(gateway, policy));
  expect(used.map((dollars) => Math.round(dollars * 1e9))).toEqual([Number(summary.nano_usd)]);
});
