import { describe, expect, it } from 'vitest';
import type { Limiter } from '../../../plugins/sdk/control-plane/limiter.ts';
import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import { createVirtualClock } from '../../../plugins/testkit/route/virtual-clock.ts';
import { linkCosts } from '../../../runtime/engine/stages/bounded-costs.ts';
import type { Prices } from '../../../runtime/ports/prices.ts';
import { runConfig, toJson } from '../../support/in-process/run-config.ts';
import { sampleExchange } from '../../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../../support/in-process/stub-upstreams.ts';

/** A token of the dear model costs a thousandth of a dollar, one of the cheap model a millionth. Others have no price. */
const perToken: Readonly<Record<string, number>> = { dear: 1_000_000, cheap: 1000 };
const prices: Prices = {
  ready: () => undefined,
  cost: ({ input, output }, { model }) => {
    const nanoUsd = perToken[model];
    return nanoUsd === undefined ? undefined : { nanoUsd: nanoUsd * (input.total + output.total), prices: 'test' };
  },
};

const target = (name: string, model: string) => ({
  name,
  provider: 'openai',
  api_key: '${env:KEY}',
  override_params: { model },
});
const question = { messages: [{ role: 'user', content: 'hi' }], max_tokens: 100 };
const asking = (given: Partial<Exchange> = {}): Exchange => sampleExchange(question, { ...given, trail: [] });
const answer = (total: number) =>
  stubAnswer({
    id: 'a',
    choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: total - 1, completion_tokens: 1, total_tokens: total },
  });
const cost = { nanoUsd: 100_000_000, prices: 'test' };
const models = (requests: readonly { readonly body: unknown }[]): readonly unknown[] =>
  requests.map(({ body }) => JSON.parse((body as { bytes: Buffer }).bytes.toString()).model);

describe('a limit on the cost of a request', () => {
  it('refuses an attempt that may cost more, without sending it, as the answer of its leaf', async () => {
    const { handle, upstreams } = runConfig(
      { ...target('one', 'dear'), max_cost_usd: 0.05 },
      { prices, upstream: () => answer(10) },
    );
    const response = await handle(asking());
    expect(response).toMatchObject({ status: 412, origin: 'limit', cause: 'cost-exceeded', leaf: { retries: 0 } });
    expect(JSON.stringify(toJson(response))).toContain('of its limit of $0.05');
    expect(upstreams.requests).toEqual([]);
  });

  it('lets a fallback continue with a cheaper branch', async () => {
    const { handle, upstreams } = runConfig(
      { max_cost_usd: 0.05, strategy: { mode: 'fallback' }, targets: [target('one', 'dear'), target('two', 'cheap')] },
      { prices, upstream: () => answer(10) },
    );
    const exchange = asking();
    expect(await handle(exchange)).toMatchObject({ status: 200, leaf: { path: '/targets/1' } });
    expect(models(upstreams.requests)).toEqual(['cheap']);
    expect(exchange.trail).toMatchObject([{ kind: 'fellBack', status: 412 }, { kind: 'attempted' }]);
  });

  it.each([
    ['config', 1, 0.05],
    ['header', 0.05, 1],
  ])('is the lower of config and header, not that of the %s', async (_other, config, header) => {
    const { handle } = runConfig(
      { ...target('one', 'dear'), max_cost_usd: config },
      { prices, upstream: () => answer(10) },
    );
    expect((await handle(asking({ overrides: { maxCostUsd: header } }))).status).toBe(412);
  });

  it('is that of the header if the config has none', async () => {
    const { handle } = runConfig(target('one', 'dear'), { prices, upstream: () => answer(10) });
    expect((await handle(asking({ overrides: { maxCostUsd: 0.05 } }))).status).toBe(412);
    expect((await handle(asking({ overrides: { maxCostUsd: 1 } }))).status).toBe(200);
  });

  it('counts the actual cost of earlier attempts of the request, and no more', async () => {
    // A check denies each answer. An attempt may cost slightly more than 0.1 of the 0.2 dollars; the first used 0.09 or 0.01.
    for (const [used, sent] of [
      [90, 1],
      [10, 2],
    ] as const) {
      const { handle, upstreams } = runConfig(
        {
          max_cost_usd: 0.2,
          strategy: { mode: 'fallback' },
          output_guardrails: [{ 'default.contains': { words: ['never'], operator: 'all' }, deny: true }],
          targets: [target('one', 'dear'), target('two', 'dear')],
        },
        { prices, upstream: () => answer(used) },
      );
      const { status } = await handle(asking());
      expect([upstreams.requests.length, status]).toEqual([sent, sent === 1 ? 412 : 446]);
    }
  });

  it('counts the actual cost even after so many answers in one second that it learns nothing more from them', async () => {
    // The first attempt used 0.01 dollars instead of its estimate, so a second one may be sent.
    const { handle, upstreams } = runConfig(
      {
        max_cost_usd: 0.2,
        strategy: { mode: 'fallback' },
        output_guardrails: [{ 'default.contains': { words: ['never'], operator: 'all' }, deny: true }],
        targets: [target('one', 'dear'), target('two', 'dear')],
      },
      { prices, upstream: () => answer(10) },
    );
    for (let request = 0; request < 120; request += 1) await handle(asking());
    expect(upstreams.requests).toHaveLength(240);
  });

  it('counts each reservation once, whatever is called later', async () => {
    const clock = createVirtualClock();
    const costs = linkCosts({ clock, prices })(0.15);
    const attempt = { target: 'one', provider: 'openai', model: 'dear', bodyBytes: 4, maxOutput: 100 };
    const reserve = () => costs.reserve(attempt, { exchange: asking(), listedAs: 'openai' });
    const held = await reserve();
    held.settle({ kind: 'reported', model: 'dear', input: { total: 1 }, output: { total: 99 }, cost });
    held.release();
    await expect(async () => reserve()).rejects.toMatchObject({ report: { code: 'cost-exceeded' } });
    const other = linkCosts({ clock, prices })(0.15);
    const released = await other.reserve(attempt, { exchange: asking(), listedAs: 'openai' });
    released.release();
    released.release();
    await other.reserve(attempt, { exchange: asking(), listedAs: 'openai' });
    await expect(async () => other.reserve(attempt, { exchange: asking(), listedAs: 'openai' })).rejects.toMatchObject({
      report: { code: 'cost-exceeded' },
    });
  });

  it('counts nothing for an attempt that its provider refused', async () => {
    const { handle, upstreams } = runConfig(
      { max_cost_usd: 0.15, strategy: { mode: 'fallback' }, targets: [target('one', 'dear'), target('two', 'dear')] },
      {
        prices,
        upstream: (request) =>
          upstreams.requests.length > 1
            ? answer(10)
            : stubAnswer({ error: { message: request.path } }, { status: 500 }),
      },
    );
    expect((await handle(asking())).status).toBe(200);
  });

  it('ends the retries of a leaf that may cost too much in total', async () => {
    const { handle, upstreams } = runConfig(
      {
        ...target('one', 'dear'),
        max_cost_usd: 0.15,
        retry: { attempts: 3, on_status_codes: [446] },
        output_guardrails: [{ 'default.contains': { words: ['never'], operator: 'all' }, deny: true }],
      },
      { prices, upstream: () => answer(80) },
    );
    expect(await handle(asking())).toMatchObject({ status: 412, cause: 'cost-exceeded' });
    expect(upstreams.requests).toHaveLength(1);
  });

  it('refuses a model without a price, including if the gateway has no prices', async () => {
    const config = { ...target('one', 'unknown'), max_cost_usd: 1 };
    const unpriced = {
      status: 412,
      origin: 'limit',
      cause: 'unpriced-model',
      about: 'the model "unknown" and the limit max_cost_usd',
    };
    expect(await runConfig(config, { prices, upstream: () => answer(1) }).handle(asking())).toMatchObject(unpriced);
    expect(await runConfig(config, { upstream: () => answer(1) }).handle(asking())).toMatchObject(unpriced);
    const failing = { ...prices, ready: () => Promise.reject(new Error('There are none.')), cost: () => undefined };
    expect(await runConfig(config, { prices: failing, upstream: () => answer(1) }).handle(asking())).toMatchObject(
      unpriced,
    );
  });

  it('refuses a request that cannot be estimated, and permits one that calls no model', async () => {
    const { handle } = runConfig({ ...target('one', 'dear'), max_cost_usd: 1 }, { prices, upstream: () => answer(1) });
    const passed = (method: string, path: string): Exchange =>
      asking({
        route: { operation: 'opaque' },
        request: {
          method,
          path,
          headers: [],
          body: method === 'GET' ? { kind: 'none' } : { kind: 'bytes', bytes: Buffer.from('{}') },
        },
      });
    expect(await handle(passed('POST', '/some/thing'))).toMatchObject({ status: 412, cause: 'unmeasured-request' });
    expect((await handle(passed('GET', '/models'))).status).toBe(200);
  });

  it('waits for prices that are being loaded', async () => {
    let isReady = false;
    const ready = Promise.resolve().then(() => {
      isReady = true;
    });
    const late: Prices = {
      ready: () => (isReady ? undefined : ready),
      cost: (...call) => (isReady ? prices.cost(...call) : undefined),
    };
    const { handle } = runConfig(
      { ...target('one', 'cheap'), max_cost_usd: 1 },
      { prices: late, upstream: () => answer(10) },
    );
    expect((await handle(asking())).status).toBe(200);
  });

  it('expects a usual output if a request sets no maximum, and the maximum otherwise', async () => {
    const { handle } = runConfig(
      { ...target('one', 'dear'), max_cost_usd: 0.5 },
      { prices, upstream: () => answer(10) },
    );
    const open = () => sampleExchange({ messages: question.messages }, { trail: [] });
    // At first 256 tokens of output are expected, which is within the limit. A maximum of 1,000 tokens is not.
    expect((await handle(open())).status).toBe(200);
    const long = sampleExchange({ ...question, max_tokens: 1000 }, { trail: [] });
    expect((await handle(long)).status).toBe(412);
  });

  it('expects the output of earlier answers if a request sets no maximum', async () => {
    const { handle } = runConfig(target('one', 'dear'), { prices, upstream: () => answer(10) });
    const open = (maxCostUsd: number) =>
      sampleExchange({ messages: question.messages }, { trail: [], overrides: { maxCostUsd } });
    // 256 tokens of output are expected until there are answers to learn from. They have one token each.
    expect((await handle(open(0.1))).status).toBe(412);
    for (let request = 0; request < 50; request += 1) expect((await handle(open(1))).status).toBe(200);
    expect((await handle(open(0.1))).status).toBe(200);
  });

  it('reserves nothing if a limiter refuses the attempt, and both are settled if it does not', async () => {
    const log: string[] = [];
    let refuses = true;
    const limiter: Limiter = {
      admit: () => ({
        attempt: ({ model }) => {
          log.push(`asked ${model}`);
          if (refuses && model === 'dear') throw new Error('It is full.');
          return { settle: ({ input }) => log.push(`settled ${input.total}`), release: () => log.push('released') };
        },
        end: () => log.push('ended'),
      }),
    };
    const { handle } = runConfig(
      { ...target('one', 'dear'), max_cost_usd: 0.15 },
      { prices, limiter, upstream: () => answer(10) },
    );
    expect((await handle(asking())).status).toBe(500);
    refuses = false;
    expect((await handle(asking())).status).toBe(200);
    expect(log).toEqual(['asked dear', 'ended', 'asked dear', 'settled 9', 'ended']);
  });
});
