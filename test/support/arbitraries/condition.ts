import fc from 'fast-check';
import type { Json, JsonObject } from '../../../schema/json/json.ts';
import type {
  Comparison,
  Condition,
  ConditionTest,
  ElementMatch,
  ElementPath,
  FactPath,
  Facts,
} from '../../../schema/plan/condition.ts';

const texts = ['gold', 'free', '7'] as const;

const path: fc.Arbitrary<FactPath> = fc.constantFrom<FactPath>(
  ['metadata', 'tier'],
  ['metadata', 'tier'],
  ['params', 'model'],
  ['plan', 'model'],
  ['url', 'pathname'],
);

const listPath: fc.Arbitrary<FactPath> = fc.constantFrom<FactPath>(
  ['params', 'tags'],
  ['params', 'tags'],
  ['params', 'tags', '0'],
  ['params', 'tags', '0', 'role'],
);

const memberPath: fc.Arbitrary<ElementPath> = fc.constantFrom<ElementPath>(['role'], ['role'], ['tags']);

const elementPath: fc.Arbitrary<ElementPath> = fc.constant<ElementPath>([]);

const value: fc.Arbitrary<Json> = fc.constantFrom<Json>(...texts, 7, true);

const operators = ['$eq', '$eq', '$ne', '$gt', '$lte', '$in', '$nin', '$regex', '$exists'] as const;
const listOperators = ['$exists', '$all', '$all', '$size', '$size'] as const;

const testAt = <Path extends ElementPath>(
  where: fc.Arbitrary<Path>,
  among: readonly Comparison[],
): fc.Arbitrary<ConditionTest<Path>> =>
  fc
    .record({
      path: where,
      op: fc.constantFrom(...among),
      value,
      others: fc.array(value, { maxLength: 2 }),
      flag: fc.boolean(),
      count: fc.nat({ max: 2 }),
    })
    .map(({ path: at, op, value: single, others, flag, count }) => {
      const operands: { readonly [Op in Comparison]?: Json } = {
        $in: others,
        $nin: others,
        $all: [single, ...others],
        $regex: String(single),
        $exists: flag,
        $size: count,
      };
      return { kind: 'test', path: at, op, value: operands[op] ?? single };
    });

const negated = <Path extends ElementPath>(
  atom: fc.Arbitrary<ConditionTest<Path> | ElementMatch<Path>>,
): fc.Arbitrary<Condition<Path>> => atom.map((of) => ({ kind: 'not', of }));

const orNegated = <Path extends ElementPath>(
  atom: fc.Arbitrary<ConditionTest<Path> | ElementMatch<Path>>,
): fc.Arbitrary<Condition<Path>> => fc.oneof({ weight: 4, arbitrary: atom }, { weight: 1, arbitrary: negated(atom) });

const junction = <Path extends ElementPath>(of: fc.Arbitrary<Condition<Path>>): fc.Arbitrary<Condition<Path>> =>
  fc.record({ kind: fc.constantFrom('all', 'any'), of: fc.array(of, { maxLength: 2 }) });

const sometimesJoined = <Path extends ElementPath>(of: fc.Arbitrary<Condition<Path>>): fc.Arbitrary<Condition<Path>> =>
  fc.oneof({ weight: 3, arbitrary: of }, { weight: 1, arbitrary: junction(of) });

/** One of the deepest elements in a list. */
const deepElements = <Path extends ElementPath>(where: fc.Arbitrary<Path>): fc.Arbitrary<ElementMatch<Path>> =>
  fc
    .record({ path: where, of: sometimesJoined(orNegated(testAt(elementPath, operators))) })
    .map((rest) => ({ kind: 'element', element: 'any', ...rest }));

const elements = <Path extends ElementPath>(where: fc.Arbitrary<Path>): fc.Arbitrary<ElementMatch<Path>> => {
  const member = orNegated<ElementPath>(
    fc.oneof(testAt(memberPath, operators), testAt(memberPath, listOperators), deepElements(memberPath)),
  );
  const ofMembers = fc
    .record({ path: where, of: sometimesJoined(member) })
    .map((rest): ElementMatch<Path> => ({ kind: 'element', element: 'object', ...rest }));
  return fc.oneof(ofMembers, deepElements(where));
};

const test: fc.Arbitrary<Condition> = fc.oneof(
  { weight: 3, arbitrary: orNegated(testAt(path, operators)) },
  {
    weight: 2,
    arbitrary: orNegated<FactPath>(
      fc.oneof(testAt(listPath, listOperators), testAt(listPath, operators), elements(listPath)),
    ),
  },
);

/** A condition on the few facts that `facts` generates, nested at most twice. Some are always true, and some never. */
export const condition: fc.Arbitrary<Condition> = fc.oneof(
  { weight: 4, arbitrary: test },
  { weight: 1, arbitrary: junction(fc.oneof(test, junction(test))) },
);

/** Two or more tests of one list, one of which may decide another. */
export const listConditions: fc.Arbitrary<readonly Condition[]> = fc.array(
  orNegated<FactPath>(fc.oneof(testAt(listPath, listOperators), testAt(listPath, operators), elements(listPath))),
  { minLength: 2, maxLength: 3 },
);

/** Two similar tests of one list, one of which often holds whenever the other does. */
export const alikeTests: fc.Arbitrary<readonly [Condition, Condition]> = fc
  .constantFrom<Comparison>('$all', '$all', '$size', '$lte')
  .chain((op) => {
    const one = testAt(fc.constant<FactPath>(['params', 'tags']), [op]);
    return fc.tuple(one, one);
  });

const element: fc.Arbitrary<Json> = fc.oneof(
  value,
  fc.constantFrom<Json>(null, [], ['7'], ['gold', 7]),
  fc
    .record({ role: value, tags: fc.oneof(value, fc.array(value, { maxLength: 2 })) }, { requiredKeys: [] })
    .map((members): JsonObject => members),
);

const tags: fc.Arbitrary<Json> = fc.oneof(
  { weight: 4, arbitrary: fc.array(element, { maxLength: 3 }) },
  { weight: 1, arbitrary: element },
);

/** The facts of a request. One in four requests a stream. */
export const facts: fc.Arbitrary<Facts> = fc
  .record({
    tier: fc.option(fc.constantFrom(...texts), { nil: undefined }),
    model: fc.option(fc.constantFrom(...texts), { nil: undefined }),
    tags: fc.option(tags, { nil: undefined, freq: 3 }),
    standsFor: fc.option(fc.constantFrom(...texts), { nil: undefined }),
    stream: fc.constantFrom(true, false, false, undefined),
    pathname: fc.constantFrom('/v1/chat/completions', '/v1/embeddings'),
  })
  .map(({ tier, model, tags: labels, standsFor, stream, pathname }) => ({
    metadata: tier === undefined ? {} : { tier },
    params: {
      ...(model === undefined ? {} : { model }),
      ...(labels === undefined ? {} : { tags: labels }),
      ...(stream === undefined ? {} : { stream }),
    },
    plan: standsFor === undefined ? undefined : { model: standsFor },
    url: { pathname },
  }));
