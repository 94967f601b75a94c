import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../../../../plugins/sdk/provider/provider.ts';
import { rootPointer } from '../../../../schema/json/pointer.ts';
import type { Plan } from '../../../../schema/plan/typed-plan.ts';
import { answers, route, streams } from '../../../../testing.ts';
import { sampleLeaf, samplePlan, sampleTarget } from '../../../support/plans/sample-plan.ts';
import { tongueWith } from '../../../support/plugins/tongue.ts';

type Named = Plan<{ target: 'first' | 'second'; metadata: Record<never, never>; secrets: Record<never, never> }>;

const routes = (speaks: { readonly [dialect: string]: Endpoint } = { tongue: '/spoken/{model}' }) => {
  const targets = ['first', 'second'].map((id) => ({
    ...sampleTarget(id),
    from: { kind: 'inline', provider: 'own' } as const,
  }));
  const plan: Named = samplePlan(
    { kind: 'fallback', path: rootPointer, on: { kind: 'not-2xx' }, branches: [sampleLeaf(0), sampleLeaf(1)] },
    targets,
  );
  const authorize = () => Promise.reject(new Error('There is no key to sign with.'));
  return route(plan, { plugins: [tongueWith(speaks, { authorize })] });
};

describe('a route test of a dialect with the model in its path', () => {
  it('calls the paths of its models and receives an answer in the dialect', async () => {
    const { calls, answer } = await routes()
      .given({ dialect: 'tongue', body: { model: 'a/b' } })
      .when({ first: answers(503), second: answers(200, { text: 'well' }) })
      .expect(['first', 'second'], { status: 200 });
    expect(calls.map(({ path }) => path)).toEqual(['/spoken/a%2Fb', '/spoken/a%2Fb']);
    expect(answer).toEqual({ say: 'well', model: 'a/b' });
  });

  it('streams on request, in the framing of the dialect', async () => {
    const run = routes().given({ dialect: 'tongue', body: { stream: true } });
    const { answer, failure } = await run
      .when({ first: streams(['one', 'two'], { cutAfter: 0 }), second: streams(['one', 'two']) })
      .expect(['first', 'second'], { status: 200 });
    expect(failure).toBeUndefined();
    expect(answer).toContain('{"say":"one"}');
    expect(answer).toContain(':event-type');
  });

  it('can be translated from a dialect with the model and the stream flag in its body', async () => {
    const speaks = {
      tongue: ({ model, stream }: { model: string | undefined; stream: boolean }) => `/${model}/${stream}`,
    };
    const { calls, answer } = await routes(speaks)
      .given({ body: { model: 'm', stream: true } })
      .expect(['first'], { status: 200 });
    expect(calls.map(({ path }) => path)).toEqual(['/m/true']);
    expect(answer).toContain('data: [DONE]');
  });
});
