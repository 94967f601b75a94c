import { describe, expect, it } from 'vitest';
import type { KeptExchange } from '../../../plugins/sdk/exchange/exchange.ts';
import type { UpstreamRequest } from '../../../plugins/sdk/http/http.ts';
import { isNonEmpty, type JsonObject } from '../../../schema/json/json.ts';
import type { RoutingPlan } from '../../../schema/plan/plan.ts';
import { type RunningConfig, runConfig } from '../../support/in-process/run-config.ts';
import { sampleExchange } from '../../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../../support/in-process/stub-upstreams.ts';

const question = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
const slugs = ['a', 'b', 'c', 'd'];
/** Each has a host of its own, by which the stub upstream recognises it. */
const providers = Object.fromEntries(
  slugs.map((slug) => [
    slug,
    {
      provider: 'openai',
      credential: { api_key: '${env:KEY}' },
      settings: { custom_host: `https://${slug}.example` },
    },
  ]),
);
const saved = { providers, virtualKeys: {}, guardrails: {} };

const at = (slug: string, more: JsonObject = {}): JsonObject => ({ provider: `@${slug}`, ...more });
const breaking = (slug: string, more: JsonObject = {}): JsonObject =>
  at(slug, { cb_config: { failure_threshold: 1, cooldown_interval: 30_000 }, ...more });
const fallback = (...targets: readonly JsonObject[]): JsonObject => ({ strategy: { mode: 'fallback' }, targets });
/** A fallback with its own trigger, so that it is not merged into a fallback around it. */
const innerFallback = (...targets: readonly JsonObject[]): JsonObject => ({
  strategy: { mode: 'fallback', on_status_codes: [503] },
  targets,
});
const balance = (...targets: readonly JsonObject[]): JsonObject => ({ strategy: { mode: 'loadbalance' }, targets });
/** Chooses the first branch for the model `first`, and the second otherwise. */
const conditional = (first: JsonObject, second: JsonObject): JsonObject => ({
  strategy: { mode: 'conditional', conditions: [{ query: { 'params.model': 'first' }, then: 'x' }], default: 'y' },
  targets: [
    { ...first, name: 'x' },
    { ...second, name: 'y' },
  ],
});

const toSlug = ({ origin }: UpstreamRequest): string => new URL(origin).hostname.charAt(0);
const toText = ({ body }: UpstreamRequest): string => (body.kind === 'bytes' ? body.bytes.toString() : '');

/** Providers that are down answer 503, the others 200. */
const running = (config: JsonObject, ...down: readonly string[]): RunningConfig =>
  runConfig(config, {
    saved,
    upstream: (request) => stubAnswer({}, { status: down.includes(toSlug(request)) ? 503 : 200 }),
  });

/** Returns the providers that a request is sent to, in order. */
const sentFor = async (
  { handle, upstreams }: Pick<RunningConfig, 'handle' | 'upstreams'>,
  kept: KeptExchange | undefined,
  given: { readonly seed?: number; readonly body?: JsonObject } = {},
): Promise<string> => {
  const before = upstreams.requests.length;
  await handle(sampleExchange(given.body ?? question, { kept, seed: given.seed ?? 1 }));
  return upstreams.requests.slice(before).map(toSlug).join(' ');
};

describe('a request that prefers a saved provider', () => {
  it('is sent there first by a fallback, and then to the others once each, in order', async () => {
    const world = running(fallback(at('a'), at('b'), at('c')), ...slugs);
    expect(await sentFor(world, { prefers: 'b' })).toBe('b a c');
    expect(await sentFor(world, { prefers: 'c' })).toBe('c a b');
    for (const kept of [undefined, {}, { prefers: 'd' }]) expect(await sentFor(world, kept)).toBe('a b c');
  });

  it('is sent there by a load balance, whatever is drawn', async () => {
    const world = running(balance(at('a'), at('b'), at('c')));
    const drawn = new Set<string>();
    for (let seed = 0; seed < 30; seed += 1) {
      expect(await sentFor(world, { prefers: 'b' }, { seed })).toBe('b');
      drawn.add(await sentFor(world, { prefers: 'd' }, { seed }));
    }
    expect([...drawn].sort()).toEqual(['a', 'b', 'c']);
  });

  it('is sent there through a group of any kind that can call it', async () => {
    for (const group of [innerFallback(at('c'), at('b')), balance(at('c'), at('b')), conditional(at('c'), at('b'))])
      for (const around of [fallback, balance])
        for (let seed = 0; seed < 5; seed += 1)
          expect(await sentFor(running(around(at('a'), conditional(group, group))), { prefers: 'b' }, { seed })).toBe(
            'b',
          );
  });

  it('is not sent to a branch that a conditional does not choose', async () => {
    const world = running(fallback(at('a'), conditional(at('c'), at('b'))));
    expect(await sentFor(world, { prefers: 'b' })).toBe('b');
    expect(await sentFor(world, { prefers: 'b' }, { body: { ...question, model: 'first' } })).toBe('a');
  });

  it('is not sent to a leaf whose circuit is open, but to the next one of the same provider', async () => {
    const config = fallback(at('a'), innerFallback(breaking('b'), at('c')), at('d'));
    const world = running(config, 'b');
    expect(await sentFor(world, { prefers: 'b' })).toBe('b c');
    expect(await sentFor(world, { prefers: 'b' })).toBe('a');

    const twice = running(fallback(at('a'), innerFallback(breaking('b'), at('c')), at('b')), 'b');
    expect(await sentFor(twice, { prefers: 'b' })).toBe('b c');
    expect(await sentFor(twice, { prefers: 'b' })).toBe('b a');
  });

  // The compiler drops branches of weight 0, but a plan from elsewhere may contain them.
  it('is not sent to a branch of weight 0', async () => {
    const lastUnweighted = (plan: RoutingPlan): RoutingPlan => {
      const { root } = plan;
      if (root.kind !== 'loadbalance') throw new Error('The plan is no load balance.');
      const branches = root.branches.map((branch, index) => (index === 1 ? { ...branch, weight: 0 } : branch));
      if (!isNonEmpty(branches)) throw new Error('The plan has no branches.');
      return { ...plan, root: { ...root, branches } };
    };
    const { gateway, plan, clock, upstreams } = running(balance(at('a'), at('b')));
    const linked = gateway.link({ plan: lastUnweighted(plan), secrets: () => 'x' });
    const world: Pick<RunningConfig, 'handle' | 'upstreams'> = {
      upstreams,
      handle: (exchange) => clock.settle(gateway.handle(exchange, linked)),
    };
    expect(await sentFor(world, { prefers: 'b' })).toBe('a');
  });
});

describe('a request with a separate form for a saved provider', () => {
  const body = { ...question, previous: 'kept' };
  const text = `${JSON.stringify(body)} `;
  const own = (slug: string): KeptExchange => ({ ownForm: { slug, body, bytes: Buffer.from(text) } });
  const readTexts = async (slug: string): Promise<readonly (readonly string[])[]> => {
    const { handle, upstreams } = running(fallback(at('a'), at('b')), 'a');
    await handle(sampleExchange(question, { kept: own(slug) }));
    return upstreams.requests.map((request) => [toSlug(request), toText(request)]);
  };

  it('is sent there in that form, byte for byte, and to all others as the client wrote it', async () => {
    const asWritten = JSON.stringify(question);
    expect(await readTexts('a')).toEqual([
      ['a', text],
      ['b', asWritten],
    ]);
    expect(await readTexts('b')).toEqual([
      ['a', asWritten],
      ['b', text],
    ]);
  });

  it('is sent as the client wrote it to a target that is not saved', async () => {
    const config = { provider: 'openai', api_key: '${env:KEY}' };
    const { handle, upstreams } = running(config);
    await handle(sampleExchange(question, { kept: own('openai') }));
    expect(upstreams.requests.map(toText)).toEqual([JSON.stringify(question)]);
  });
});
