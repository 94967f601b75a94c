import { describe, expect, it } from 'vitest';
import { echo } from '../../../../plugins/providers/echo/echo.ts';
import { definePlugin } from '../../../../plugins/sdk/plugin/plugin.ts';
import { defineProvider } from '../../../../plugins/sdk/provider/provider.ts';
import { rootPointer } from '../../../../schema/json/pointer.ts';
import type { LeafNode, PlanNode, RoutingPlan } from '../../../../schema/plan/plan.ts';
import type { Plan } from '../../../../schema/plan/typed-plan.ts';
import { answers, hangs, refuses, route, streams } from '../../../../testing.ts';
import { sampleLeaf, samplePlan, sampleTarget } from '../../../support/plans/sample-plan.ts';

type Named = Plan<{
  target: 'fast' | 'eu';
  metadata: { readonly region: string; readonly tier?: 'gold' };
  secrets: { readonly OPENAI_API_KEY: string };
}>;

const fast = sampleTarget('fast');
const eu = { ...sampleTarget('eu'), from: { kind: 'inline', provider: 'anthropic' } } as const;

const toPlan = (root: PlanNode, targets = [fast, eu]): Named => samplePlan(root, targets);

const retry = { kind: 'retry', attempts: 2, on: [429], useRetryAfter: false } as const;

const fallback = (first: LeafNode = sampleLeaf(0)): Named =>
  toPlan({ kind: 'fallback', path: rootPointer, on: { kind: 'not-2xx' }, branches: [first, sampleLeaf(1)] });

const byRegion: Named = toPlan({
  kind: 'conditional',
  path: rootPointer,
  branches: [sampleLeaf(0), sampleLeaf(1)],
  cases: [{ when: { kind: 'test', path: ['metadata', 'region'], op: '$eq', value: 'eu' }, branch: 1 }],
  otherwise: 0,
});

const shared: Named = toPlan({
  kind: 'loadbalance',
  path: rootPointer,
  branches: [
    { weight: 1, node: sampleLeaf(0) },
    { weight: 3, node: sampleLeaf(1) },
  ],
});

const given = { metadata: { region: 'eu' } } as const;

describe('route', () => {
  it('follows a fallback', async () => {
    const plan = fallback();
    await route(plan).given(given).expect(['fast'], { status: 200 });
    await route(plan)
      .given(given)
      .when({ fast: answers(529) })
      .expect(['fast', 'eu'], { status: 200 });
    await route(plan)
      .given(given)
      .when({ fast: refuses(), eu: answers(503) })
      .expect(['fast', 'eu'], { status: 503 });
  });

  it('explains what it needs if a test in plain JavaScript gives something else', () => {
    // biome-ignore lint/suspicious/noExplicitAny: The test makes the mistakes that types prevent.
    const untyped = (value: unknown): any => value;
    for (const plan of ['configs/prod.json', undefined, { provider: 'echo' }, { strategy: {}, targets: [] }])
      expect(() => route(untyped(plan))).toThrow('route needs a compiled plan');
    for (const reply of [503, 'down', null, [answers(500), 'down']])
      expect(() => route(fallback()).when(untyped({ fast: reply }))).toThrow(
        'The replies of "fast" must be made by answers, streams, refuses or hangs',
      );
    expect(() => answers(untyped('503'))).toThrow('answers needs a status such as 503, not "503".');
    expect(() => answers(untyped(undefined))).toThrow('answers needs a status such as 503, not undefined.');
  });

  it('resolves what a virtual model stands for', async () => {
    const plan: Named = toPlan({
      kind: 'conditional',
      path: rootPointer,
      branches: [sampleLeaf(0), sampleLeaf(1)],
      cases: [{ when: { kind: 'test', path: ['plan', 'model'], op: '$eq', value: 'main' }, branch: 1 }],
      otherwise: 0,
    });
    await route(plan).given(given).expect(['fast']);
    await route(plan)
      .given({ ...given, planModel: 'main' })
      .expect(['eu']);
  });

  it('summarises in one line what happened', async () => {
    const run = route(fallback(sampleLeaf(0, [retry]))).given(given);
    const readSummary = async (replies: Parameters<typeof run.when>[0]) => (await run.when(replies).run()).summary;
    expect(await readSummary({})).toBe('sample: fast 200');
    expect(await readSummary({ fast: [answers(429), answers(404)] })).toBe('sample: fast 429 -> fast 404 -> eu 200');
    expect(await readSummary({ fast: refuses(), eu: answers(503) })).toBe(
      'sample: fast 502 (network) -> fast 502 (network) -> fast 502 (network) -> eu 503',
    );
  });

  it('follows a condition on metadata', async () => {
    await route(byRegion)
      .given({ metadata: { region: 'eu' } })
      .expect(['eu']);
    await route(byRegion)
      .given({ metadata: { region: 'us' } })
      .expect(['fast']);
  });

  it('takes the heaviest branch of a load balance, or the picked one', async () => {
    await route(shared).given(given).expect(['eu']);
    await route(shared)
      .given({ ...given, picks: { '': 0 } })
      .expect(['fast']);
  });

  it('counts retries as calls, and their delays as elapsed time', async () => {
    const { elapsedMs, trail } = await route(fallback(sampleLeaf(0, [retry])))
      .given(given)
      .when({ fast: [answers(429), answers(429), answers(200)] })
      .expect(['fast', 'fast', 'fast'], { status: 200 });
    expect(elapsedMs).toBe(3000);
    expect(trail.map(({ kind }) => kind)).toEqual(['attempted', 'retried', 'attempted', 'retried', 'attempted']);
  });

  it('lets a silent target reach its time-out without real waiting', async () => {
    const plan = toPlan(
      { kind: 'fallback', path: rootPointer, on: { kind: 'not-2xx' }, branches: [sampleLeaf(0), sampleLeaf(1)] },
      [{ ...fast, timeoutMs: 5000 } as typeof fast, eu],
    );
    const { elapsedMs } = await route(plan).given(given).when({ fast: hangs() }).expect(['fast', 'eu']);
    expect(elapsedMs).toBe(5000);
  });

  it("answers in the dialect of the target and returns the client's own", async () => {
    const { answer, calls } = await route(byRegion)
      .given(given)
      .when({ eu: answers(200, { text: 'Guten Tag' }) })
      .expect(['eu']);
    expect(answer).toMatchObject({ choices: [{ message: { content: 'Guten Tag' } }] });
    expect(calls[0]).toMatchObject({ path: '/messages', body: { messages: [{ role: 'user' }] } });
  });

  it('falls back from a stream that breaks off before its first word', async () => {
    const { answer } = await route(fallback())
      .given({ ...given, body: { stream: true } })
      .when({ fast: streams(['never'], { cutAfter: 0 }), eu: streams(['good', ' day']) })
      .expect(['fast', 'eu']);
    expect(answer).toContain('"content":"good"');
    expect(answer).toContain('[DONE]');
  });

  it('ends a stream that breaks off later with an error, without a fallback', async () => {
    const { answer } = await route(fallback())
      .given({ ...given, body: { stream: true } })
      .when({ fast: streams(['one', ' two'], { cutAfter: 1 }) })
      .expect(['fast']);
    expect(answer).toContain('"content":"one"');
    expect(answer).toContain('"error"');
    expect(answer).not.toContain('[DONE]');
  });

  it('supplies the provider if the plan leaves it to the caller', async () => {
    const open: RoutingPlan = {
      ...samplePlan(sampleLeaf(0, [retry]), [{ ...fast, from: { kind: 'request' }, credential: { kind: 'request' } }]),
    };
    const { calls } = await route(open)
      .given({ provider: 'anthropic' })
      .when({ fast: answers(200) })
      .expect(['fast']);
    expect(calls[0]?.headers).toContain('x-api-key');
  });

  it('runs checks, so a denied request reaches no target', async () => {
    const check = { check: 'default.contains', id: 'default.contains', failOnError: false } as const;
    const denying = sampleLeaf(0, [
      {
        kind: 'input-checks',
        hooks: [
          {
            id: 'no-hello',
            type: 'guardrail',
            async: false,
            deny: { onFail: true, onSuccess: false },
            feedback: {},
            checks: [{ ...check, parameters: { words: ['Hello'], operator: 'none' } }],
          },
        ],
      },
    ]);
    const { trail } = await route(fallback(denying)).given(given).expect(['eu'], { status: 200 });
    expect(trail).toContainEqual(expect.objectContaining({ kind: 'checked', phase: 'input', result: 'denied' }));
    const alone = await route(toPlan(denying)).given(given).expect([]);
    expect(alone.summary).toBe('sample: no target was called, answered 446');
  });

  it('sends the request in the dialect of the client', async () => {
    const { answer, calls } = await route(byRegion)
      .given({ dialect: 'messages', metadata: { region: 'us' } })
      .expect(['fast'], { status: 200 });
    expect(answer).toMatchObject({ type: 'message', content: [{ type: 'text', text: 'ok' }] });
    expect(calls[0]?.path).toContain('/chat/completions');
  });

  it('accepts plugins in addition to the built-in ones', async () => {
    const provider = defineProvider({ ...echo, id: 'strange' });
    const plan = samplePlan(sampleLeaf(0), [{ ...fast, from: { kind: 'inline', provider: 'strange' } }]);
    await expect(route(plan).run()).rejects.toThrow('No plugin provides the provider "strange"');
    await route(plan, { plugins: [definePlugin({ name: 'strange', providers: [provider] })] }).expect(['fast']);
  });

  it('reports everything that happened if the result is not the expected one', async () => {
    const gone = route(fallback())
      .given(given)
      .when({ fast: answers(529) })
      .expect(['fast'], { status: 529 });
    await expect(gone).rejects.toThrow(
      [
        'Expected calls of "fast", got "fast", "eu". Expected status 529, got 200. What happened:',
        '  config.targets[0] called fast, attempt 1: 529 (upstream)',
        '  config fell back from branch 0 to 1 on 529',
        '  config.targets[1] called eu, attempt 1: 200 (upstream)',
      ].join('\n'),
    );
  });

  it('type-checks the names of a typed plan', async () => {
    const test = route(fallback());
    // @ts-expect-error: metadata that every path reads must be given.
    test.given({});
    // @ts-expect-error: a value that no condition knows.
    test.given({ metadata: { region: 'eu', tier: 'silver' } });
    // @ts-expect-error: a target that was renamed.
    expect(() => test.when({ fats: answers(500) })).toThrow('The plan has no target "fats". It has "fast", "eu".');
    // @ts-expect-error: a target that was renamed.
    await expect(test.expect(['fats'])).rejects.toThrow('Expected calls of "fats"');
  });
});
