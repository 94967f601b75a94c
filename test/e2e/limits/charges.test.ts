import { expect, it, vi } from 'vitest';
import { control } from '../../support/gateways/stored-gateway.ts';
import { patience } from '../../support/run/patience.ts';
import { ask, asked, limitedGateway, makePolicy, saveTarget, sharedLimited, toSum } from './support/limited-gateway.ts';

const limited = sharedLimited();

it('charges nothing for an answer from a cache, a denial, or a failure of the provider', async () => {
  const { gateway, key, upstream } = await limited();
  const policy = await makePolicy(gateway, 'usage-limits', { type: 'tokens', credit_limit: 1000 });
  await makePolicy(gateway, 'rate-limits', { type: 'requests', unit: 'rpd', value: 3 });
  const config = { provider: '@main', cache: { mode: 'simple' } };
  const denying = {
    provider: '@main',
    input_guardrails: [{ 'default.contains': { words: ['input'], operator: 'none' }, deny: true }],
  };
  const script = { input: 5, output: 6 };
  const statuses: (number | string | null)[] = [];
  for (let at = 0; at < 6; at += 1) {
    const { status, headers } = await asked(gateway, script, { ...key, config });
    statuses.push(status, headers.get('x-gw-cache-status'));
  }
  expect(statuses).toEqual([200, 'MISS', ...Array.from({ length: 5 }, () => [200, 'HIT']).flat()]);
  for (let at = 0; at < 4; at += 1)
    expect((await asked(gateway, script, { ...key, config: denying })).status).toBe(446);
  const failing = { provider: '@main', retry: { attempts: 0 } };
  expect((await asked(gateway, { ...script, status: 500 }, { ...key, config: failing })).status).toBe(500);
  await vi.waitFor(async () => expect(await toSum(gateway, policy)).toBe(11), patience);
  expect((await asked(gateway, script, key)).status).toBe(200);
  expect((await asked(gateway, script, key)).status).toBe(429);
  expect(upstream.requests).toHaveLength(3);
});

it('charges each attempt of a request that is retried or falls back', async () => {
  const { gateway, key, upstream } = await limited();
  await saveTarget(gateway, { upstream, slug: 'second' });
  const policy = await makePolicy(gateway, 'usage-limits', { type: 'tokens', credit_limit: 1000 });
  const config = {
    strategy: { mode: 'fallback', on_status_codes: [446] },
    targets: [
      {
        provider: '@main',
        output_guardrails: [{ 'default.contains': { words: ['Hello'], operator: 'none' }, deny: true }],
      },
      { provider: '@second' },
    ],
  };
  expect((await asked(gateway, { input: 5, output: 6 }, { ...key, config })).status).toBe(200);
  expect(upstream.requests).toHaveLength(2);
  await vi.waitFor(async () => expect(await toSum(gateway, policy)).toBe(22), patience);
});

it('charges a stream by its reported usage, or by what was seen if it is cut, abandoned, or reports none', async () => {
  const { gateway, key } = await limited();
  const readPolicy = (user: string) =>
    makePolicy(gateway, 'usage-limits', {
      ...{ type: 'tokens', credit_limit: 100_000 },
      ...{ conditions: [{ key: 'metadata._user', value: user }], group_by: [{ key: 'metadata._user' }] },
    });
  const [whole, silent, cut, left] = await Promise.all(['whole', 'silent', 'cut', 'left'].map(readPolicy));
  const as = (user: string) => ({ ...key, stream: true, metadata: { _user: user } });

  expect((await asked(gateway, { input: 30, output: 40 }, as('whole'))).text).toContain('[DONE]');
  expect((await asked(gateway, { pieces: 20, withUsage: false }, as('silent'))).text).toContain('[DONE]');
  expect((await asked(gateway, { pieces: 20, end: 'cut' }, as('cut'))).text).not.toContain('[DONE]');
  const leaving = new AbortController();
  const answer = await ask(gateway, { pieces: 20, end: 'never' }, { ...as('left'), signal: leaving.signal });
  await answer.body?.getReader().read();
  leaving.abort();

  await vi.waitFor(async () => expect(await toSum(gateway, whole ?? '')).toBe(70), patience);
  for (const policy of [silent, cut, left])
    await vi.waitFor(async () => expect(await toSum(gateway, policy ?? '')).toBeGreaterThan(20), patience);
});

it('counts only the usage that limits cover if there is no ledger', async () => {
  const files = { 'gateway.json': { store: { url: 'gateway.db', ledger: false } } };
  const { gateway, key } = await limitedGateway('gateway.db', { files, args: ['--config', 'gateway.json'] });
  expect((await asked(gateway, { input: 5, output: 6 }, key)).status).toBe(200);
  const policy = await makePolicy(gateway, 'usage-limits', { type: 'tokens', credit_limit: 1000 });
  expect((await asked(gateway, { input: 7, output: 8 }, key)).status).toBe(200);
  await vi.waitFor(async () => expect(await toSum(gateway, policy)).toBe(15), patience);
  const usage = async () => (await control(gateway, 'GET /usage')).summary;
  await vi.waitFor(async () => expect(await usage()).toMatchObject({ attempts: 1, input_tokens: 7 }), patience);
});
