import { expect, it, onTestFinished, vi } from 'vitest';
import { control } from '../../support/gateways/stored-gateway.ts';
import { patience } from '../../support/run/patience.ts';
import { startUpstream } from '../../support/servers/upstream-server.ts';
import { asked, makePolicy, readUsed, saveTarget, sharedLimited, toSum } from './support/limited-gateway.ts';

const limited = sharedLimited();

/** A gateway with `@slow`, which never answers, and `@main`. */
const slowGateway = async () => {
  const served = await limited();
  const slow = await startUpstream(() => undefined);
  onTestFinished(() => slow.close());
  await saveTarget(served.gateway, { upstream: slow, slug: 'slow' });
  return { ...served, slow };
};

const hedged = (...targets: readonly object[]): object => ({
  strategy: { mode: 'fallback', hedge: { after_ms: 20, budget_percent: 100 } },
  targets,
});
const [slowTarget, quickTarget] = [{ provider: '@slow' }, { provider: '@main' }];

it('counts the answer by its reported usage and the cancelled call by its prompt, in counters as in the ledger', async () => {
  const { gateway, key } = await slowGateway();
  const [tokens, cost] = await Promise.all([
    makePolicy(gateway, 'usage-limits', { type: 'tokens', credit_limit: 100_000 }),
    makePolicy(gateway, 'usage-limits', { type: 'cost', credit_limit: 1 }),
  ]);
  const answer = await asked(gateway, { input: 70, output: 50 }, { ...key, config: hedged(slowTarget, quickTarget) });
  expect(answer.status).toBe(200);
  const ledger = async () => (await control(gateway, 'GET /usage')).summary;
  await vi.waitFor(
    async () => expect(await ledger()).toMatchObject({ attempts: 2, reported: 1, estimated: 1 }),
    patience,
  );
  const {
    input_tokens: input,
    output_tokens: output,
    cost: paid,
  } = (await ledger()) as unknown as {
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly cost: number;
  };
  expect(input).toBeGreaterThan(70);
  expect(output).toBe(50);
  await vi.waitFor(async () => expect(await toSum(gateway, tokens)).toBe(input + output), patience);
  expect(await toSum(gateway, cost)).toBeCloseTo(paid, 9);
});

it('does not call a second target that a limit refuses, and waits for the first', async () => {
  const { gateway, key, upstream } = await limited();
  const refused = await startUpstream();
  onTestFinished(() => refused.close());
  await saveTarget(gateway, { upstream: refused, slug: 'refused' });
  const conditions = [{ key: 'model', value: 'priced' }];
  await makePolicy(gateway, 'rate-limits', { type: 'requests', unit: 'rpd', value: 1, conditions });
  expect((await asked(gateway, {}, key)).status).toBe(200);
  const config = hedged(
    { provider: '@main', override_params: { model: 'free' } },
    { provider: '@refused', override_params: { model: 'priced' } },
  );
  const answer = await asked(gateway, { waitMs: 200 }, { ...key, config });
  expect(answer.status).toBe(200);
  expect([upstream.requests.length, refused.requests.length]).toEqual([2, 0]);
});

it('counts each of two calls by the prompt that it sent', async () => {
  const { gateway, key } = await slowGateway();
  const slugs = ['of-slow', 'of-main'];
  for (const slug of slugs) {
    const string = JSON.stringify([{ role: 'user', content: JSON.stringify({ input: 70, output: 50 }) }]);
    const more = { virtual_key: '@main', model: 'priced', parameters: { max_tokens: 10 } };
    await control(gateway, 'POST /prompts', { body: { name: slug, slug, string, ...more } });
  }
  const policy = await makePolicy(gateway, 'usage-limits', {
    ...{ type: 'tokens', credit_limit: 100_000, group_by: [{ key: 'prompt' }] },
  });
  const config = hedged({ ...slowTarget, prompt_id: 'of-slow' }, { ...quickTarget, prompt_id: 'of-main' });
  expect((await asked(gateway, {}, { ...key, config })).status).toBe(200);
  await vi.waitFor(async () => expect(Object.keys(await readUsed(gateway, policy))).toHaveLength(2), patience);
  const booked = async () => {
    const { data } = await control(gateway, 'GET /usage?group_by=metadata._prompt');
    return (data as unknown as readonly Record<string, unknown>[]).map((each) => [
      ...[each['metadata._prompt'], each.attempts],
    ]);
  };
  await vi.waitFor(async () => {
    const all = await booked();
    expect(all).toEqual(expect.arrayContaining(slugs.map((slug) => [slug, 1])));
  }, patience);
});
