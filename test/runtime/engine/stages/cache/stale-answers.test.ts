import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../../../plugins/sdk/exchange/exchange.ts';
import type { UpstreamAnswer } from '../../../../../plugins/sdk/http/http.ts';
import { errorReport } from '../../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { runConfig, toJson } from '../../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../../support/in-process/sample-exchange.ts';
import { hanging, type StubHandler, stubAnswer } from '../../../../support/in-process/stub-upstreams.ts';

const cache = { mode: 'simple', max_age: 60 };
const openai: JsonObject = { provider: 'openai', api_key: '${env:KEY}', request_timeout: 10_000, cache };
const question = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
const asking = (): Exchange => sampleExchange(question, { trail: [] });
const unreachable: UpstreamAnswer = {
  kind: 'failure',
  error: errorReport('connection-lost', { host: 'stub', reason: 'it was reset' }),
};

/** Answers well the first time, and with `then` after that. */
const failing = (then: StubHandler, config: JsonObject = openai, staleIfErrorS = 100) => {
  let calls = 0;
  return runConfig(config, {
    cache: { staleIfErrorS },
    upstream: (request, scope) => {
      calls += 1;
      return calls === 1
        ? stubAnswer({ id: 'first', choices: [{ message: { content: 'hi' } }] })
        : then(request, scope);
    },
  });
};

describe('an expired answer', () => {
  it.each<[string, StubHandler]>([
    ['500', () => stubAnswer({ error: {} }, { status: 500 })],
    ['529', () => stubAnswer({ error: {} }, { status: 529 })],
    ['a lost connection', () => unreachable],
    ['a time-out', hanging],
  ])('stands in for %s and is marked as stale', async (_what, then) => {
    const running = failing(then);
    await running.handle(asking());
    running.clock.advance(70_000);
    const exchange = asking();
    const response = await running.handle(exchange);
    expect(toJson(response)).toMatchObject({ id: 'first' });
    expect([response.status, response.origin, response.leaf?.cache]).toEqual([200, 'cache', 'HIT']);
    expect(response.headers.slice(2, 3)).toEqual(['age']);
    expect(response.headers.slice(4)).toEqual(['cache-status', expect.stringMatching(/^gatewright; hit; ttl=-\d+$/)]);
    expect(exchange.trail.at(-1)).toMatchObject({ kind: 'cached', status: 'HIT', stale: true });
    expect(exchange.trail.map(({ kind }) => kind)).toEqual(['attempted', 'cached']);
  });

  it.each<[string, StubHandler]>([
    ['a failure', () => stubAnswer({ error: {} }, { status: 503 })],
    ['a time-out', hanging],
  ])('stands in for %s for all requests that arrived at the same time', async (_what, then) => {
    const running = failing(then);
    await running.handle(asking());
    running.clock.advance(70_000);
    const answers = Promise.all(Array.from({ length: 6 }, () => running.gateway.handle(asking(), running.linked)));
    expect((await running.clock.settle(answers)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
  });

  it('counts as a failure for the circuit of its target, like the answer that it replaces', async () => {
    const group = {
      strategy: { mode: 'fallback' },
      targets: [
        { ...openai, cb_config: { failure_threshold: 2, cooldown_interval: 30_000 } },
        { provider: 'groq', api_key: '${env:OTHER}' },
      ],
    };
    const running = failing(
      ({ origin }) => stubAnswer({}, { status: origin === 'https://api.openai.com' ? 503 : 200 }),
      group,
    );
    await running.handle(asking());
    running.clock.advance(70_000);
    const seen = [];
    for (const _ of [1, 2, 3]) {
      const exchange = asking();
      await running.handle(exchange);
      seen.push(exchange.trail.map(({ kind }) => kind));
    }
    expect(seen).toEqual([
      ['attempted', 'cached'],
      ['attempted', 'cached', 'circuitChanged'],
      ['skipped', 'attempted'],
    ]);
  });

  it.each([400, 401, 429])('does not stand in for %i, which is caused by the request', async (status) => {
    const running = failing(() => stubAnswer({ error: {} }, { status }));
    await running.handle(asking());
    running.clock.advance(70_000);
    expect((await running.handle(asking())).status).toBe(status);
  });

  it('stands in for as long as the gateway file specifies, after all retries', async () => {
    const config = { ...openai, retry: { attempts: 2 } };
    const running = failing(() => stubAnswer({ error: {} }, { status: 500 }), config);
    await running.handle(asking());
    running.clock.advance(150_000);
    const { status, leaf } = await running.handle(asking());
    expect([status, leaf?.retries]).toEqual([200, 2]);
    running.clock.advance(10_000);
    expect((await running.handle(asking())).status).toBe(500);
  });

  it('does not stand in if the gateway file does not specify it', async () => {
    const running = failing(() => stubAnswer({ error: {} }, { status: 500 }), openai, 0);
    await running.handle(asking());
    running.clock.advance(60_000);
    expect((await running.handle(asking())).status).toBe(500);
  });
});
