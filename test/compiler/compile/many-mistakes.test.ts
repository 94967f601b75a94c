import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile } from '../../../compiler/compile.ts';
import { compileCaller } from '../../../compiler/compile-caller.ts';
import { charactersPerWeight } from '../../../compiler/schema-errors/limits.ts';
import type { Catalogue } from '../../../plugins/sdk/plugin/catalogue.ts';
import { nothingSaved } from '../../../schema/config/saved.ts';
import type { Diagnostic } from '../../../schema/errors/diagnostic.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { toPointer } from '../../../schema/json/pointer.ts';
import { relevantErrors } from '../../../schema/json-schema/alternatives.ts';
import type { ShapeError } from '../../../schema/json-schema/shape-error.ts';
import { testCatalogue } from '../../support/plans/catalogue.ts';

const many = <Item>(count: number, make: (index: number) => Item): readonly Item[] =>
  Array.from({ length: count }, (_, index) => make(index));

const compileAs = (trust: 'caller' | 'saved', config: object, catalogue: Catalogue = testCatalogue) =>
  trust === 'caller'
    ? compileCaller(JSON.stringify(config), { catalogue, saved: nothingSaved })
    : compile(JSON.stringify(config), { trust, catalogue, saved: nothingSaved, name: 'c' });

/** Returns the catalogue, and how often a check was looked up in it. */
const counted = () => {
  let lookedUp = 0;
  class Counted extends Map<string, never> {
    override get(name: string): never | undefined {
      lookedUp += 1;
      return super.get(name);
    }
  }
  const checks = new Counted([...testCatalogue.checks] as never);
  return { catalogue: { ...testCatalogue, checks }, lookedUp: () => lookedUp };
};

describe.each(['caller', 'saved'] as const)(
  'a config with more mistakes than are reported, with the trust "%s"',
  (trust) => {
    const config = (count: number): object => ({
      provider: 'echo',
      input_guardrails: many(count, () => ({ 'default.containz': { words: ['a'] } })),
    });

    it('is not read beyond the last reported mistake', () => {
      const { catalogue, lookedUp } = counted();
      const { plan, diagnostics } = compileAs(trust, config(2000), catalogue);
      expect([plan, diagnostics.length, new Set(diagnostics.map(({ code }) => code))]).toEqual([
        undefined,
        200,
        new Set(['unknown-check']),
      ]);
      expect(lookedUp()).toBeLessThan(1000);
    });

    it('has the same mistakes reported as a config with only those', () => {
      const summarise = ({ diagnostics }: { readonly diagnostics: readonly Diagnostic[] }) =>
        diagnostics.map(({ code, pointer, message, hint }) => [code, pointer, message, hint]);
      expect(summarise(compileAs(trust, config(2000)))).toEqual(summarise(compileAs(trust, config(200))));
    });

    it('has one mistake if it has more targets than can be compiled', () => {
      const groups = (size: number): object => ({
        strategy: { mode: 'fallback' },
        targets: many(3, () => ({ strategy: { mode: 'fallback' }, targets: many(size, () => ({})) })),
      });
      const codes = (size: number) => compileAs(trust, groups(size)).diagnostics.map(({ code }) => code);
      expect(codes(667)).toEqual(['config-too-large']);
      expect(new Set(codes(600))).toEqual(new Set(['no-valid-combination']));
    });
  },
);

describe('parameters that many targets inherit', () => {
  const params = fc.dictionary(
    fc.string({ unit: fc.constantFrom('a', 'b', 'c', '"'), maxLength: 9 }),
    fc.oneof(fc.nat(3), fc.string({ maxLength: 300 })),
    { maxKeys: 60 },
  );
  const tree = fc.record({ root: params, group: params, leaves: fc.array(params, { minLength: 1, maxLength: 40 }) });
  const own = (override_params: JsonObject): JsonObject =>
    Object.keys(override_params).length === 0 ? {} : { override_params };
  const toConfig = (
    {
      root,
      group,
      leaves,
    }: { readonly root: JsonObject; readonly group: JsonObject; readonly leaves: readonly JsonObject[] },
    times: number,
  ) => ({
    ...own(root),
    strategy: { mode: 'loadbalance' },
    targets: many(times, () => ({
      ...own(group),
      strategy: { mode: 'loadbalance' },
      targets: leaves.map((leaf) => ({ provider: 'echo', ...own(leaf) })),
    })),
  });

  it('are rejected before they are merged only if they would be rejected afterwards', () => {
    fc.assert(
      fc.property(tree, fc.integer({ min: 1, max: 40 }), (given, times) => {
        const merged = given.leaves.map((leaf) => ({ ...given.root, ...given.group, ...leaf }));
        const weights = merged.map(
          (all) =>
            1 + Number(Object.keys(all).length > 0) + Math.floor(JSON.stringify(all).length / charactersPerWeight),
        );
        const weight = times * weights.reduce((sum, each) => sum + each, 0);
        const { diagnostics } = compileAs('caller', toConfig(given, times));
        expect(diagnostics.some(({ code }) => code === 'config-too-large')).toBe(weight > 2000);
      }),
    );
  });
});

describe('values that match none of their alternatives', () => {
  /** Returns the errors of `count` values with two alternatives each, and how often one of their places was read. */
  const judged = (count: number) => {
    let reads = 0;
    const error = (at: number, schemaPath: string, keyword: string): ShapeError => ({
      keyword,
      schemaPath,
      params: { type: keyword === 'type' ? schemaPath.slice(-6, -5) : undefined },
      get instancePath() {
        reads += 1;
        return toPointer(['list', at]);
      },
    });
    const errors = many(count, (at) => [
      error(at, '#/items/anyOf/0/type', 'type'),
      error(at, '#/items/anyOf/1/type', 'type'),
      error(at, '#/items/anyOf', 'anyOf'),
    ]).flat();
    const relevant = relevantErrors(errors);
    return { keywords: relevant.map(({ keyword }) => keyword), reads };
  };

  it('are one mistake each, found with a number of reads in proportion to theirs', () => {
    const [some, more] = [judged(200), judged(800)];
    expect(some.keywords).toEqual(many(200, () => 'type'));
    expect(more.reads).toBeLessThan(5 * some.reads);
  });
});
