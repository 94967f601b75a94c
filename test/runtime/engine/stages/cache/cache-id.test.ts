import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cacheId, type KeyParts } from '../../../../../runtime/engine/stages/cache/cache-id.ts';
import { toTenant } from '../../../../support/in-process/sample-exchange.ts';
import { sampleLeaf } from '../../../../support/plans/sample-plan.ts';
import { lawRuns } from '../../../../support/run/law-runs.ts';

const leaf = sampleLeaf(0);
const text = fc.string({ maxLength: 4, unit: fc.constantFrom('a', 'b', ',', '"', '[', 'é', '\ud800') });
const maybe = fc.option(text, { nil: undefined });

const parts: fc.Arbitrary<KeyParts> = fc.record({
  tenant: text.map(toTenant),
  credential: text,
  provider: text,
  method: text,
  url: text,
  headers: fc.array(text, { maxLength: 4 }),
  body: fc.uint8Array({ maxLength: 4 }),
  asked: maybe,
  dialect: text,
  operation: fc.constantFrom('converse', 'complete', 'embed'),
  framing: maybe,
  strict: fc.boolean(),
  model: maybe,
  streamUsage: fc.boolean(),
  strip: maybe,
  outputChecks: text,
  partition: fc.oneof(
    fc.record({ namespace: text }),
    fc.record({ metadata: fc.dictionary(text, fc.oneof(text, fc.integer(), fc.boolean()), { maxKeys: 2 }) }),
  ),
  caller: fc.option(fc.array(text, { maxLength: 3 }), { nil: undefined }),
});

/** A plain model of the key, written independently of it. */
const toModel = ({ body, headers, partition, ...rest }: KeyParts): string =>
  JSON.stringify([
    Object.entries(rest).map(([name, value]) => [name, value === undefined ? 'absent' : [value]]),
    [...body],
    headers,
    Object.entries(partition).map(([kind, value]) => [
      kind,
      typeof value === 'string'
        ? value
        : Object.entries(value)
            .map((each) => JSON.stringify(each))
            .sort(),
    ]),
  ]);

describe('the id of a key', () => {
  it('differs only if a part differs, and its scope only if a part other than the bodies differs', () =>
    fc.assert(
      fc.property(parts, parts, (one, other) => {
        for (const name of Object.keys(one)) {
          const changed: KeyParts = { ...one, [name]: Reflect.get(other, name) };
          const isSame = toModel(changed) === toModel(one);
          expect([name, cacheId(leaf, changed).id === cacheId(leaf, one).id]).toEqual([name, isSame]);
          if (name === 'body' || name === 'asked') expect(cacheId(leaf, changed).scope).toBe(cacheId(leaf, one).scope);
          else expect([name, cacheId(leaf, changed).scope === cacheId(leaf, one).scope]).toEqual([name, isSame]);
        }
      }),
      lawRuns,
    ));

  it('does not depend on earlier requests to the leaf', () =>
    fc.assert(
      fc.property(fc.array(parts, { minLength: 1, maxLength: 4 }), fc.nat({ max: 7 }), (asked, seed) => {
        const again = [...asked, ...asked].map((_, at) => asked[(at * seed) % asked.length] ?? asked[0]);
        for (const each of again)
          if (each !== undefined) expect(cacheId(leaf, each)).toEqual(cacheId(sampleLeaf(0), each));
      }),
      lawRuns,
    ));

  it('distinguishes metadata from a namespace that is written like it', () => {
    const [base] = fc.sample(parts, { seed: 1, numRuns: 1 });
    if (base === undefined) throw new Error('There is no sample.');
    const labelled = cacheId(leaf, { ...base, partition: { metadata: { a: 1 } } });
    expect(cacheId(leaf, { ...base, partition: { namespace: '[["a",1]]' } })).not.toEqual(labelled);
  });

  it('distinguishes a comma in a metadata name from one in its value', () => {
    const [base] = fc.sample(parts, { seed: 1, numRuns: 1 });
    if (base === undefined) throw new Error('There is no sample.');
    const [named, valued] = [{ 'a,b': '' }, { a: 'b,' }].map((metadata) =>
      cacheId(leaf, { ...base, partition: { metadata } }),
    );
    expect(named).not.toEqual(valued);
  });

  it('does not depend on the case of header names or the order of metadata', () =>
    fc.assert(
      fc.property(parts, (one) => {
        const headers = ['X-Team', 'a'];
        const metadata = { a: 1, b: 2 };
        const other = { ...one, headers: ['x-team', 'a'], partition: { metadata: { b: 2, a: 1 } } };
        expect(cacheId(leaf, { ...one, headers, partition: { metadata } })).toEqual(cacheId(leaf, other));
      }),
      lawRuns,
    ));
});
