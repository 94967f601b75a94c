import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../../plugins/sdk/exchange/exchange.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { runConfig } from '../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../../../support/in-process/stub-upstreams.ts';

const at = (host: string, provider = 'openai'): JsonObject => ({
  ...{ provider, api_key: '${env:KEY}', custom_host: `https://${host}.example` },
});
const other = (host: string): JsonObject => at(host, 'anthropic');
/** Has its own trigger, so that it is not merged into the fallback around it. */
const fallback = (...targets: readonly JsonObject[]): JsonObject => ({
  strategy: { mode: 'fallback', on_status_codes: [500, 503] },
  targets,
});
const balance = (...targets: readonly JsonObject[]): JsonObject => ({ strategy: { mode: 'loadbalance' }, targets });
const byTier = (gold: JsonObject, others: JsonObject): JsonObject => ({
  strategy: {
    mode: 'conditional',
    conditions: [{ query: { 'metadata.tier': 'gold' }, then: 'x' }],
    default: 'y',
  },
  targets: [
    { ...gold, name: 'x' },
    { ...others, name: 'y' },
  ],
});

/** Sends a request to a fallback whose targets are all down, and returns the hosts that were called. */
const calledHosts = async (second: JsonObject, route: Exchange['route']): Promise<readonly string[]> => {
  const { handle, upstreams } = runConfig(
    { strategy: { mode: 'fallback' }, targets: [at('first'), second, at('last')] },
    { upstream: () => stubAnswer({}, { status: 503 }) },
  );
  const question = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
  const facts = { metadata: { tier: 'gold' }, params: question, url: { pathname: '/v1/any' } };
  await handle(sampleExchange(question, { route, facts }));
  return upstreams.requests.map(({ origin }) => new URL(origin).hostname.replace('.example', ''));
};

const passed: Exchange['route'] = { operation: 'opaque' };

describe('a request on a path that belongs to no dialect', () => {
  it.each<[string, JsonObject, readonly string[]]>([
    ['a target', at('b'), ['first', 'b', 'last']],
    ['a fallback', fallback(at('b'), at('c')), ['first', 'b', 'c', 'last']],
    ['a conditional that chooses its provider', byTier(at('b'), other('c')), ['first', 'b', 'last']],
  ])('falls back to a branch that calls only its own provider: %s', async (_, second, hosts) => {
    expect(await calledHosts(second, passed)).toEqual(hosts);
  });

  it('falls back to a load balance with only its own provider', async () => {
    expect(await calledHosts(balance(at('b'), at('b')), passed)).toEqual(['first', 'b', 'last']);
  });

  it.each<[string, JsonObject]>([
    ['a target', other('b')],
    ['a fallback', fallback(at('b'), other('c'))],
    ['a load balance', balance(at('b'), other('c'))],
    ['a conditional that chooses the other provider', byTier(other('b'), at('c'))],
  ])('skips a branch that might call another provider: %s', async (_, second) => {
    expect(await calledHosts(second, passed)).toEqual(['first', 'last']);
  });

  it('skips a target whose provider a header must name if the request has no such header', async () => {
    const { gateway, plan, clock, upstreams } = runConfig(
      { strategy: { mode: 'fallback' }, targets: [at('first'), at('b'), at('last')] },
      { upstream: () => stubAnswer({}, { status: 503 }) },
    );
    const targets = plan.targets.map((target, index) =>
      index === 1 ? ({ ...target, from: { kind: 'request' } } as const) : target,
    );
    const linked = gateway.link({ plan: { ...plan, targets }, secrets: () => 'x' });
    await clock.settle(gateway.handle(sampleExchange({}, { route: passed }), linked));
    expect(upstreams.requests.map(({ origin }) => origin)).toEqual(['https://first.example', 'https://last.example']);
  });

  it('is answered by the last target of its own provider if no other one is left', async () => {
    const { handle } = runConfig(
      { strategy: { mode: 'fallback' }, targets: [at('first'), other('b')] },
      { upstream: () => stubAnswer({}, { status: 503 }) },
    );
    const exchange = sampleExchange({}, { route: { operation: 'opaque' } });
    expect(await handle(exchange)).toMatchObject({ status: 503 });
    expect(exchange.trail.map(({ kind }) => kind)).toEqual(['attempted']);
  });
});

describe('a request on a passed-through path of a dialect', () => {
  it('falls back to other providers that speak it', async () => {
    const ofChat: Exchange['route'] = { operation: 'opaque', dialect: 'chat' };
    expect(await calledHosts(at('b', 'groq'), ofChat)).toEqual(['first', 'b', 'last']);
  });
});

describe('a request in the format of a dialect', () => {
  it('falls back to other providers', async () => {
    expect(await calledHosts(other('b'), { operation: 'converse', dialect: 'chat' })).toEqual(['first', 'b', 'last']);
  });
});
