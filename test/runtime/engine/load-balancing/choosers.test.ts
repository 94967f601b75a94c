import { describe, expect, it } from 'vitest';
import type {
  ChooserDraw,
  ChooserRequest,
  ChooserServices,
  ChooserTarget,
} from '../../../../plugins/sdk/chooser/chooser.ts';
import type { GatewayResponse, Sink, UpstreamAnswer } from '../../../../plugins/sdk/http/http.ts';
import { seededChance } from '../../../../runtime/in-memory/seeded-chance.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { rootPointer } from '../../../../schema/json/pointer.ts';
import { sampleExchange, toTenant } from '../../../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../../../support/in-process/stub-upstreams.ts';
import {
  at,
  balance,
  breaking,
  called,
  fallback,
  type OwnConfig,
  type OwnWorld,
  question,
  relinked,
  running,
  withBranches,
} from './own-chooser.ts';

describe('the targets that a chooser is offered', () => {
  it('have the weight, the provider and the model of their branches, and no price', async () => {
    const world = running(
      balance(
        at('a', { weight: 3 }),
        at('b', { provider: 'groq', override_params: { model: 'own' } }),
        fallback(at('c', { provider: 'mistral-ai' }), at('d')),
      ),
      { prices: { ready: () => undefined, cost: () => ({ nanoUsd: 1, prices: 'genai-prices' }) } },
    );
    await world.handle(sampleExchange(question));
    expect(world.offered).toStrictEqual([
      [
        { index: 0, weight: 3, provider: 'openai', inFlight: 0 },
        { index: 1, weight: 1, provider: 'groq', model: 'own', inFlight: 0 },
        { index: 2, weight: 1, provider: 'mistral-ai', inFlight: 0 },
      ],
    ]);
  });

  it('have no provider if each request chooses it', async () => {
    const world = running(balance(at('a'), at('b')));
    const handle = relinked(world, (plan) => ({
      ...plan,
      targets: plan.targets.map((target, index) =>
        index === 1 ? ({ ...target, from: { kind: 'request' } } as const) : target,
      ),
    }));
    await handle(sampleExchange(question));
    expect(world.offered).toMatchObject([[{ provider: 'openai' }, { index: 1, provider: '' }]]);
  });

  // The compiler drops branches of weight 0, but a plan from elsewhere may contain them.
  it('are the branches with a weight, whose index is that in their group', async () => {
    const world = running(balance(at('a'), at('b'), at('c')), { choose: () => 1 });
    const handle = relinked(
      world,
      withBranches((branch, index) => (index === 1 ? { ...branch, weight: 0 } : branch)),
    );
    await handle(sampleExchange(question));
    expect(world.offered).toMatchObject([[{ index: 0 }, { index: 2 }]]);
    expect(called(world)).toEqual(['c']);
    expect(world.heard).toMatchObject([{ index: 2 }]);
  });

  it('are those whose circuits are closed, and a single one is not asked about', async () => {
    const isDown = ({ origin }: { readonly origin: string }): boolean => origin === 'https://a.example';
    const world = running(balance(breaking('a'), at('b'), at('c')), {
      upstream: (request) => stubAnswer({}, { status: isDown(request) ? 503 : 200 }),
    });
    await world.handle(sampleExchange(question));
    await world.handle(sampleExchange(question));
    expect(world.offered.at(-1)).toMatchObject([{ index: 1 }, { index: 2 }]);
    expect(called(world)).toEqual(['a', 'b']);

    const pair = running(balance(breaking('a'), at('b')), { upstream: () => stubAnswer({}, { status: 503 }) });
    for (let seed = 0; seed < 3; seed += 1) await pair.handle(sampleExchange(question, { seed }));
    expect(pair.offered).toHaveLength(1);
    expect(called(pair)).toEqual(['a', 'b', 'b']);
  });
});

describe('the request that a chooser chooses for', () => {
  const seen = async (...given: Parameters<typeof sampleExchange>): Promise<ChooserRequest> => {
    const requests: ChooserRequest[] = [];
    const { handle } = running(balance(at('a'), at('b')), {
      choose: (_, request) => {
        requests.push(request);
        return 0;
      },
    });
    await handle(sampleExchange(...given));
    const [request] = requests;
    if (request === undefined || requests.length > 1) throw new Error('The chooser was not asked once.');
    return request;
  };

  it('has the tokens of its body, what it needs of a model, and the beginning of its conversation', async () => {
    const image = { type: 'image_url', image_url: { url: 'https://images.example/a.png' } };
    const body = { model: 'm', messages: [{ role: 'user', content: [{ type: 'text', text: 'What?' }, image] }] };
    const { tokens, needs, prefix } = await seen(body);
    expect(tokens).toBe(Math.ceil(JSON.stringify(body).length / 4));
    expect(needs).toEqual(['chat', 'vision']);
    expect(prefix).toContain('What?');
  });

  it('needs nothing and has no beginning on a path that belongs to no dialect', async () => {
    const { needs, prefix } = await seen(question, { route: { operation: 'opaque' } });
    expect([needs, prefix]).toEqual([[], undefined]);
  });
});

describe('the draws of a chooser', () => {
  const drawn = async (seed: number): Promise<readonly number[]> => {
    const draws: number[] = [];
    const { handle } = running(balance(at('a'), at('b')), {
      choose: (_, __, { pick, between }: ChooserDraw) => {
        draws.push(between(0, 1), between(5, 6), pick([1, 2, 3, 4]), pick([4, 3, 2, 1]));
        return 0;
      },
    });
    await handle(sampleExchange(question, { seed }));
    return draws;
  };

  it('follow from the seed of the request, one after the other, from the second draw of the load balance', async () => {
    for (let seed = 0; seed < 20; seed += 1) {
      const nth = (visit: number) => ({ seed, path: rootPointer, visit });
      expect(await drawn(seed)).toEqual([
        seededChance.between(nth(2), 0, 1),
        seededChance.between(nth(3), 5, 6),
        seededChance.pick(nth(4), [1, 2, 3, 4]),
        seededChance.pick(nth(5), [4, 3, 2, 1]),
      ]);
    }
  });
});

describe('a chooser that fails', () => {
  const throws = (): never => {
    throw new Error('It is broken.');
  };
  const byWeight = balance(at('a', { weight: 1 }), at('b', { weight: 2 }));
  const hostsOf = async (config: JsonObject, given: OwnWorld = {}): Promise<readonly string[]> => {
    const world = running(config, given);
    for (let seed = 0; seed < 30; seed += 1)
      expect(await world.handle(sampleExchange(question, { seed }))).toMatchObject({ status: 200 });
    return called(world);
  };
  const { balance: _, ...drawing } = { mode: 'loadbalance', balance: '' };
  const drawnHosts = (): Promise<readonly string[]> => hostsOf({ ...byWeight, strategy: drawing });

  it.each<[string, OwnWorld, string]>([
    ['throws', { choose: throws }, 'It is broken.'],
    ['cannot be created', { create: throws }, 'It is broken.'],
    ['chooses no target', { choose: () => -1 }, 'It chose the index -1, but there are 2 targets.'],
    ['chooses one too far', { choose: () => 2 }, 'It chose the index 2, but there are 2 targets.'],
    [
      'adds a target of its own',
      {
        choose: (targets) => (targets as ChooserTarget[]).push({ index: 7, weight: 1, provider: '', inFlight: 0 }) - 1,
      },
      'It chose the target 7, which was not offered.',
    ],
  ])('leaves the choice to the weights and is reported if it %s', async (_title, given, reason) => {
    const logged: string[] = [];
    const log = (text: string): void => void logged.push(text);
    expect(await hostsOf(byWeight, { ...given, log })).toEqual(await drawnHosts());
    expect(logged).toEqual([`The balance "test.own" failed, so targets are chosen by weight: ${reason}`]);
  });

  it('does not affect the answer if it throws when it learns of it, and is reported', async () => {
    const world = running(byWeight, { heard: throws });
    expect(await world.handle(sampleExchange(question))).toMatchObject({ status: 200 });
    await world.handle(sampleExchange(question));
    expect(world.logged).toEqual(['The balance "test.own" failed, so targets are chosen by weight: It is broken.']);
    expect(world.offered.at(-1)).toMatchObject([{ inFlight: 0 }, { inFlight: 0 }]);
  });
});

describe('what a chooser learns of its branches', () => {
  it('is how each of them answered, and after how long', async () => {
    const world = running(balance(at('a', { retry: { attempts: 1, on_status_codes: [503] } }), at('b')), {
      upstream: () => stubAnswer({}, { status: 503, headers: ['x-left', '3'] }),
      choose: (targets) => targets.length - 1,
    });
    await world.handle(sampleExchange(question));
    expect(world.heard).toMatchObject([{ index: 1, outcome: { status: 503, origin: 'upstream', answeredMs: 0 } }]);
    expect(world.heard[0]?.outcome.header('x-left')).toBe('3');
  });

  it('is the time from the choice to the answer, retries included', async () => {
    const world = running(balance(at('a', { retry: { attempts: 1, on_status_codes: [503] } }), at('b')), {
      upstream: () => stubAnswer({}, { status: 503 }),
    });
    world.clock.advance(5000);
    await world.handle(sampleExchange(question));
    const waited = world.clock.monotonic() - 5000;
    expect(waited).toBeGreaterThan(0);
    expect(world.heard).toMatchObject([{ index: 0, outcome: { answeredMs: waited } }]);
  });

  it('is nothing if no upstream was called', async () => {
    const denied = { input_guardrails: [{ 'default.contains': { words: ['hi'], operator: 'none' }, deny: true }] };
    const world = running(balance(at('a', denied), at('b', denied)));
    expect(await world.handle(sampleExchange(question))).toMatchObject({ origin: 'check' });
    expect(world.heard).toEqual([]);
  });

  it('includes the gateway time of both clocks', async () => {
    const found: ChooserServices[] = [];
    const world = running(balance(at('a'), at('b')), { create: (services) => void found.push(services) });
    await world.handle(sampleExchange(question));
    const { clock } = world;
    clock.advance(7000);
    expect(found.map((services) => [services.monotonic(), services.wall()])).toEqual([
      [clock.monotonic(), clock.wall()],
    ]);
    expect(clock.monotonic()).not.toBe(clock.wall());
  });
});

describe('the running requests that a chooser is shown', () => {
  const chunk = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'Hi' } }] })}\n\n`;

  /** Upstreams whose streams end when the test says so. */
  const streaming = () => {
    const sinks: Sink[] = [];
    const upstream = (): UpstreamAnswer => ({
      kind: 'answer',
      status: 200,
      headers: ['content-type', 'text/event-stream'],
      body: {
        collect: () => Promise.resolve(Buffer.from(chunk)),
        start(sink) {
          sinks.push(sink);
          sink.write(Buffer.from(chunk));
        },
        discard: () => {},
      },
    });
    return { sinks, upstream };
  };
  const streamed = (given: Parameters<typeof sampleExchange>[1] = {}) =>
    sampleExchange(
      { ...question, stream: true },
      { route: { operation: 'converse', dialect: 'chat', stream: true }, ...given },
    );
  const begin = ({ body }: GatewayResponse): void => {
    if (body.kind === 'stream') body.start({ write: () => true, onDrain: () => {}, end: () => {}, fail: () => {} });
  };
  const inFlight = ({ offered }: OwnConfig): readonly number[] | undefined =>
    offered.at(-1)?.map((target) => target.inFlight);

  it('are those whose streams have not ended, counted for each branch and tenant', async () => {
    const { sinks, upstream } = streaming();
    const world = running(balance(at('a'), at('b')), { upstream, choose: (targets) => targets.length - 1 });
    begin(await world.handle(streamed()));
    begin(await world.handle(streamed()));
    expect(inFlight(world)).toEqual([0, 1]);
    begin(await world.handle(streamed()));
    expect(inFlight(world)).toEqual([0, 2]);
    begin(await world.handle(streamed({ principal: { tenant: toTenant('other') } })));
    expect(inFlight(world)).toEqual([0, 0]);
    for (const sink of sinks) sink.end();
    begin(await world.handle(streamed()));
    expect(inFlight(world)).toEqual([0, 0]);
  });

  it('are none once whole answers have arrived, or requests have failed', async () => {
    const world = running(balance(at('a'), at('b')), {
      upstream: () => {
        throw new Error('The upstream is broken.');
      },
    });
    for (let seed = 0; seed < 3; seed += 1) {
      await world.handle(sampleExchange(question, { seed }));
      expect(inFlight(world)).toEqual([0, 0]);
    }
  });

  it('are not those of another chooser with the same branches', async () => {
    const { upstream } = streaming();
    const world = running(balance(at('a'), at('b')), { upstream });
    begin(await world.handle(streamed()));
    const other = relinked(world, (plan, root) => ({ ...plan, root: { ...root, balance: 'least-busy' } }));
    begin(await other(streamed()));
    expect(world.offered).toHaveLength(1);
    begin(await world.handle(streamed()));
    expect(inFlight(world)).toEqual([1, 0]);
  });

  it('outlive a plan that is replaced by one with the same branches, but not by one with others', async () => {
    const { upstream } = streaming();
    const world = running(balance(at('a'), at('b')), { upstream });
    begin(await world.handle(streamed()));
    const same = relinked(world, (plan) => plan);
    begin(await same(streamed()));
    expect(inFlight(world)).toEqual([1, 0]);
    const reweighted = relinked(
      world,
      withBranches((branch) => ({ ...branch, weight: branch.weight + 1 })),
    );
    begin(await reweighted(streamed()));
    expect(inFlight(world)).toEqual([0, 0]);
  });
});
