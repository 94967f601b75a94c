import fc from 'fast-check';
import type { Json } from '../../../schema/json/json.ts';
import type { Comparison, Condition, FactPath, Facts } from '../../../schema/plan/condition.ts';

const texts = ['gold', 'free', '7'] as const;

const path: fc.Arbitrary<FactPath> = fc.constantFrom<FactPath>(
  ['metadata', 'tier'],
  ['metadata', 'tier'],
  ['params', 'model'],
  ['plan', 'model'],
  ['url', 'pathname'],
);

const value: fc.Arbitrary<Json> = fc.constantFrom<Json>(...texts, 7, true);

const listed: ReadonlySet<Comparison> = new Set(['$in', '$nin']);

const test: fc.Arbitrary<Condition> = fc
  .record({
    path,
    op: fc.constantFrom<Comparison>('$eq', '$eq', '$ne', '$gt', '$lte', '$in', '$nin', '$regex'),
    value,
    others: fc.array(value, { maxLength: 2 }),
  })
  .map(({ path, op, value, others }) => ({
    kind: 'test',
    path,
    op,
    value: listed.has(op) ? others : op === '$regex' ? String(value) : value,
  }));

const junction = (of: fc.Arbitrary<Condition>): fc.Arbitrary<Condition> =>
  fc.record({ kind: fc.constantFrom('all', 'any'), of: fc.array(of, { maxLength: 2 }) });

/** A condition on the few facts that `facts` makes, nested at most twice; some hold always, some never. */
export const condition: fc.Arbitrary<Condition> = fc.oneof(
  { weight: 4, arbitrary: test },
  { weight: 1, arbitrary: junction(fc.oneof(test, junction(test))) },
);

/** The facts of a request; one in four asks for a stream. */
export const facts: fc.Arbitrary<Facts> = fc
  .record({
    tier: fc.option(fc.constantFrom(...texts), { nil: undefined }),
    model: fc.option(fc.constantFrom(...texts), { nil: undefined }),
    standsFor: fc.option(fc.constantFrom(...texts), { nil: undefined }),
    stream: fc.constantFrom(true, false, false, undefined),
    pathname: fc.constantFrom('/v1/chat/completions', '/v1/embeddings'),
  })
  .map(({ tier, model, standsFor, stream, pathname }) => ({
    metadata: tier === undefined ? {} : { tier },
    params: { ...(model === undefined ? {} : { model }), ...(stream === undefined ? {} : { stream }) },
    plan: standsFor === undefined ? undefined : { model: standsFor },
    url: { pathname },
  }));
