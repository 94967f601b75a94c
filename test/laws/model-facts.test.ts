import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Capability, capabilities } from '../../schema/model-facts/capability.ts';
import { joinFacts } from '../../schema/model-facts/join-facts.ts';
import {
  type FactOrigin,
  factSources,
  type ModelFacts,
  type ModelLimits,
  type StatedFacts,
} from '../../schema/model-facts/model-facts.ts';
import { lawRuns } from '../support/run/law-runs.ts';

const name = fc.constantFrom('a', 'b', 'c', 'd');
const day = fc.constantFrom('2026-01-01', '2026-02-01');
const some = fc.uniqueArray(fc.constantFrom(...capabilities), { maxLength: 4 });

const statement: fc.Arbitrary<StatedFacts> = fc.record(
  {
    ...{ provider: fc.constantFrom('p', 'q'), model: name, source: fc.constantFrom(...factSources), asOf: day },
    ...{ aliases: fc.uniqueArray(name, { maxLength: 2 }), able: some, unable: some },
    ...{ context: fc.integer({ min: 1, max: 9 }), output: fc.integer({ min: 1, max: 9 }), deprecated: day },
    prices: fc.constantFrom('gateway file', 'genai-prices'),
  },
  { requiredKeys: ['provider', 'model', 'source', 'asOf'] },
);

const statements: fc.Arbitrary<StatedFacts[]> = fc.array(statement, { maxLength: 12 });

const shuffled: fc.Arbitrary<readonly [readonly StatedFacts[], readonly StatedFacts[]]> = statements.chain((all) =>
  fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length }).map((other) => [all, other] as const),
);

const isAbout = ({ provider, model, aliases = [] }: StatedFacts, facts: ModelFacts): boolean => {
  const names = [facts.model, ...facts.aliases];
  return provider === facts.provider && [model, ...aliases].every((each) => names.includes(each));
};

/** Returns the statements of the first source, on its newest day. There can be several. */
const firstOf = (all: readonly StatedFacts[]): readonly StatedFacts[] => {
  const source = factSources.find((each) => all.some((one) => one.source === each));
  const ofSource = all.filter((each) => each.source === source);
  const newest = ofSource
    .map(({ asOf }) => asOf)
    .toSorted()
    .at(-1);
  return ofSource.filter(({ asOf }) => asOf === newest);
};

const originOf = ([stated]: readonly StatedFacts[]): FactOrigin | undefined =>
  stated && { source: stated.source, asOf: stated.asOf };

const limits = ['context', 'output', 'prices', 'deprecated'] as const;
type Fact = (typeof limits)[number] | Capability;
const allFacts: readonly Fact[] = [...limits, ...capabilities];

const isLimit = (fact: Fact): fact is (typeof limits)[number] => limits.some((limit) => limit === fact);

/** Returns the value of a limit, or whether a model has a capability. A capability that is in both lists counts as present. */
const findFact = (
  stated: ModelLimits & Pick<StatedFacts, 'able' | 'unable'>,
  fact: Fact,
): string | number | boolean | undefined => {
  if (isLimit(fact)) return stated[fact];
  if (stated.able?.includes(fact) === true) return true;
  return stated.unable?.includes(fact) === true ? false : undefined;
};

describe('joined model facts', () => {
  it('do not depend on the order of the statements', () => {
    fc.assert(
      fc.property(shuffled, ([one, other]) => {
        expect(joinFacts(other)).toEqual(joinFacts(one));
      }),
      lawRuns,
    );
  });

  it('list each model name of a provider once, and no capability as both present and missing', () => {
    fc.assert(
      fc.property(statements, (all) => {
        const joined = joinFacts(all);
        const names = joined.flatMap(({ provider, model, aliases }) =>
          [model, ...aliases].map((each) => `${provider} ${each}`),
        );
        expect(new Set(names).size).toBe(names.length);
        for (const { capabilities: able, lacks } of joined)
          expect(able.filter((each) => lacks.includes(each))).toEqual([]);
      }),
      lawRuns,
    );
  });

  it('contain exactly the facts that sources state about a model, each from the newest of the first source', () => {
    fc.assert(
      fc.property(statements, (all) => {
        const joined = joinFacts(all);
        for (const model of joined) {
          const about = all.filter((each) => isAbout(each, model));
          const first = firstOf(about);
          expect(first.map((each) => each.model)).toContain(model.model);
          expect(model).toMatchObject({ ...originOf(first) });
          const facts = allFacts.flatMap((fact) => {
            const stating = firstOf(about.filter((each) => findFact(each, fact) !== undefined));
            return stating.length === 0 ? [] : [[fact, stating] as const];
          });
          const origins = facts.map(([fact, stating]) => [fact, originOf(stating)] as const);
          expect(model.from).toEqual(Object.fromEntries(origins));
          const found = { ...model, able: model.capabilities, unable: model.lacks };
          for (const [fact, stating] of facts)
            expect(stating.map((each) => findFact(each, fact))).toContain(findFact(found, fact));
        }
        for (const each of all) expect(joined.filter((model) => isAbout(each, model))).toHaveLength(1);
      }),
      lawRuns,
    );
  });
});
