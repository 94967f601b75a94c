import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { runConfig } from '../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../support/in-process/sample-exchange.ts';
import { hanging, stubAnswer } from '../../../support/in-process/stub-upstreams.ts';

const question = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
const cooldownMs = 30_000;
const breaker: JsonObject = { cb_config: { failure_threshold: 1, cooldown_interval: cooldownMs } };
const at = (host: string, more: JsonObject = {}): JsonObject => ({
  provider: 'openai',
  api_key: '${env:KEY}',
  custom_host: `https://${host}.example`,
  ...more,
});
/** Has its own trigger, so that it is not merged into the fallback around it. */
const fallback = (...targets: readonly JsonObject[]): JsonObject => ({
  strategy: { mode: 'fallback', on_status_codes: [500, 503] },
  targets,
});
const balance = (...targets: readonly JsonObject[]): JsonObject => ({ strategy: { mode: 'loadbalance' }, targets });
const byModel = (m: JsonObject, others: JsonObject): JsonObject => ({
  strategy: {
    mode: 'conditional',
    conditions: [{ query: { 'params.model': 'm' }, then: 'x' }],
    default: 'y',
  },
  targets: [
    { ...m, name: 'x' },
    { ...others, name: 'y' },
  ],
});

interface Before {
  /** How often all targets fail first, which opens the circuits of those with a breaker. */
  readonly failures?: number;
  /** How many milliseconds pass after that. By default, the circuits admit a probe then. */
  readonly laterMs?: number;
}

/** Sends a request to a fallback whose first target hangs, and returns whether the second branch was hedged. */
const isHedged = async (second: JsonObject, { failures = 20, laterMs = cooldownMs }: Before = {}): Promise<boolean> => {
  let isFirstSlow = false;
  const { handle, clock } = runConfig(
    {
      strategy: { mode: 'fallback', hedge: { after_ms: 1000, budget_percent: 100 } },
      targets: [at('first', { request_timeout: 10_000 }), second],
    },
    {
      upstream: (request, scope) => {
        if (!isFirstSlow) return stubAnswer({}, { status: 503 });
        return request.origin.includes('/first.') ? hanging(request, scope) : stubAnswer({});
      },
    },
  );
  for (let seed = 0; seed < failures; seed += 1) await handle(sampleExchange(question, { seed }));
  clock.advance(laterMs);
  isFirstSlow = true;
  const exchange = sampleExchange(question);
  await handle(exchange);
  return exchange.trail.some(({ kind }) => kind === 'hedged');
};

describe('a hedge', () => {
  it('is sent to a second branch without an open circuit', async () => {
    expect(await isHedged(at('b'))).toBe(true);
    expect(await isHedged(fallback(at('b'), at('c')))).toBe(true);
    expect(await isHedged(balance(at('b'), at('c')))).toBe(true);
    expect(await isHedged(byModel(at('b'), at('c')))).toBe(true);
  });

  it.each<[string, JsonObject]>([
    ['a target', at('b', breaker)],
    ['a fallback with only such targets', fallback(at('b', breaker), at('c', breaker))],
    ['a load balance with such targets', balance(at('b', breaker), at('c', breaker))],
    ['a load balance with one such target', balance(at('b', breaker), at('c'))],
    ['a conditional that chooses such a target', byModel(at('b', breaker), at('c'))],
  ])('is not sent if it might probe a circuit: %s', async (_, second) => {
    expect(await isHedged(second)).toBe(false);
  });

  it.each<[string, JsonObject]>([
    ['a fallback whose second target has it', fallback(at('b'), at('c', breaker))],
    ['a conditional that chooses the other target', byModel(at('b'), at('c', breaker))],
  ])('is sent if the circuit to probe is of a target that is not called first: %s', async (_, second) => {
    expect(await isHedged(second)).toBe(true);
  });

  it.each<[string, JsonObject]>([
    ['a target', at('b', breaker)],
    ['a fallback', fallback(at('b', breaker), at('c', breaker))],
    ['a load balance', balance(at('b', breaker), at('c', breaker))],
    ['a conditional', byModel(at('b', breaker), at('c'))],
  ])('is sent if all circuits are closed: %s', async (_, second) => {
    expect(await isHedged(second, { failures: 0 })).toBe(true);
  });

  it('is not sent if the circuit of the second branch is open, because only the first one is usable', async () => {
    expect(await isHedged(at('b', breaker), { failures: 1, laterMs: 1 })).toBe(false);
  });
});
