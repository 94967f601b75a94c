import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { capabilities } from '../../schema/model-facts/capability.ts';
import { joinFacts } from '../../schema/model-facts/join-facts.ts';
import { factSources, type StatedFacts } from '../../schema/model-facts/model-facts.ts';
import { lawRuns } from '../support/law-runs.ts';

const name = fc.constantFrom('a', 'b', 'c', 'd');
const day = fc.constantFrom('2026-01-01', '2026-02-01');
const some = fc.uniqueArray(fc.constantFrom(...capabilities), { maxLength: 4 });

const statement: fc.Arbitrary<StatedFacts> = fc.record(
  {
    ...{ provider: fc.constantFrom('p', 'q'), model: name, source: fc.constantFrom(...factSources), asOf: day },
    ...{ aliases: fc.uniqueArray(name, { maxLength: 2 }), able: some, unable: some },
    ...{ context: fc.integer({ min: 1, max: 9 }), output: fc.integer({ min: 1, max: 9 }), deprecated: day },
  },
  { requiredKeys: ['provider', 'model', 'source', 'asOf'] },
);

const shuffled: fc.Arbitrary<readonly [readonly StatedFacts[], readonly StatedFacts[]]> = fc
  .array(statement, { maxLength: 12 })
  .chain((all) =>
    fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length }).map((other) => [all, other] as const),
  );

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
      fc.property(fc.array(statement, { maxLength: 12 }), (all) => {
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

  it('contain the context size that the operator states, if there is one', () => {
    fc.assert(
      fc.property(fc.array(statement, { maxLength: 8 }), fc.integer({ min: 10, max: 99 }), (all, context) => {
        const own: StatedFacts = { provider: 'p', model: 'a', context, source: 'operator', asOf: '2026-03-01' };
        const found = joinFacts([...all, own]).find(
          ({ provider, model, aliases }) => provider === 'p' && (model === 'a' || aliases.includes('a')),
        );
        expect(found).toMatchObject({ context, from: { context: { source: 'operator', asOf: '2026-03-01' } } });
      }),
      lawRuns,
    );
  });
});
