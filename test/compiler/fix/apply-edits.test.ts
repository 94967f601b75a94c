import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../compiler/fix/apply-edits.ts';
import { parseConfig } from '../../../compiler/parse/parse-config.ts';
import type { Edit } from '../../../schema/errors/fix.ts';
import type { Json } from '../../../schema/json/json.ts';
import { type JsonPointer, toPointer } from '../../../schema/json/pointer.ts';
import { writeYaml } from '../../support/plans/write-yaml.ts';
import { lawRuns, slowLawMs } from '../../support/run/law-runs.ts';

const at = (...tokens: readonly (string | number)[]): JsonPointer => toPointer(tokens);
const rename = (name: string, ...tokens: readonly (string | number)[]): Edit => ({
  kind: 'rename',
  at: at(...tokens),
  name,
});
const set = (value: string | number | boolean | null, ...tokens: readonly (string | number)[]): Edit => ({
  kind: 'set',
  at: at(...tokens),
  value,
});
const add = (value: string | number, ...tokens: readonly (string | number)[]): Edit => ({
  kind: 'add',
  at: at(...tokens),
  value,
});
const remove = (...tokens: readonly (string | number)[]): Edit => ({ kind: 'remove', at: at(...tokens) });

const json = '{\n  // first\n  "a": 1, /* one */\n  "b": [1, 2, 3], // list\n  "c": { "d": "x" }\n}\n';
const yaml = "# first\na: 1 # one\nb: [1, 2, 3]\nc:\n  d: 'x' # quoted\n  e: y\nl:\n  - 1\n  # two\n  - 2\n";

describe('an edit of a text', () => {
  it.each<[string, string, Edit, string | undefined]>([
    ['a.json', `\uFEFF${json}`, rename('A', 'a'), `\uFEFF${json.replace('"a"', '"A"')}`],
    ['a.jsonc', json, rename('A', 'a'), json.replace('"a"', '"A"')],
    ['a.jsonc', json, set('y"', 'c', 'd'), json.replace('"x"', '"y\\""')],
    ['a.jsonc', json, set(null, 'b', 1), json.replace('2,', 'null,')],
    ['a.jsonc', json, remove('b', 2), json.replace(', 3', '')],
    ['a.jsonc', json, remove('b', 0), json.replace('[1, 2', '[2')],
    ['a.jsonc', json, remove('b'), json.replace('  "b": [1, 2, 3], // list\n', '  // list\n')],
    ['a.jsonc', json, remove('c', 'd'), json.replace('"d": "x"', '')],
    ['a.json', '{"a": 1, "b": 2}', remove('b'), '{"a": 1}'],
    ['a.json', '{"a": 1, "b": 2}', remove('a'), '{"b": 2}'],
    ['a.json', '{"a": 1}', remove('x'), undefined],
    ['a.json', '{"a": 1, "b": 2}', add(3, 'c'), '{"a": 1, "b": 2, "c": 3}'],
    ['a.jsonc', json, add('y', 'c', 'e'), json.replace('"x"', '"x", "e": "y"')],
    ['a.jsonc', json, add(2, 'e'), json.replace('"x" }\n', '"x" },\n  "e": 2\n')],
    ['a.jsonc', '{\n  "a": 1, // one\n}', add(2, 'b'), '{\n  "a": 1,\n  "b": 2, // one\n}'],
    ['a.json', '{\r\n  "a": 1\r\n}', add(2, 'b'), '{\r\n  "a": 1,\r\n  "b": 2\r\n}'],
    ['a.yaml', 'a: 1\r\n', add(2, 'b'), 'a: 1\r\nb: 2\r\n'],
    ['a.json', '{"a": 1}', add(2, 'a'), undefined],
    ['a.json', '{"a": {}}', add(2, 'a', 'b'), undefined],
    ['a.json', '{"a": 1}', add(2, 'a', 'b'), undefined],
    ['a.yaml', yaml, add(2, 'c', 'f'), yaml.replace('  e: y\n', '  e: y\n  f: 2\n')],
    ['a.yaml', yaml, add('no', 'f'), yaml.replace('a: 1 # one\n', 'a: 1 # one\nf: "no"\n')],
    ['a.yaml', '- a: 1\n  b: [1]\n- c', add(2, 0, 'x'), '- a: 1\n  x: 2\n  b: [1]\n- c'],
    ['a.yaml', '- { a: 1 }\n', add(2, 0, 'x'), '- { a: 1, "x": 2 }\n'],
    ['a.yaml', 'a: &x {c: 1}\nb: *x\n', add(2, 'b', 'd'), undefined],
    ['a.yaml', 'a: &x {c: 1}\nb: *x\n', add(2, 'a', 'd'), undefined],
    ['a.yaml', 'a: &x {c: 1}\nb: {<<: *x}\n', add(2, 'b', 'd'), undefined],
    ['a.yaml', 'a: |\n  x\n', add(2, 'b'), undefined],
    ['a.yaml', yaml, rename('A', 'a'), yaml.replace('a: 1', 'A: 1')],
    ['a.yaml', yaml, set('z', 'c', 'd'), yaml.replace("'x'", '"z"')],
    ['a.yaml', yaml, set('z', 'c', 'e'), yaml.replace(' y\n', ' z\n')],
    ['a.yaml', yaml, set('no', 'c', 'e'), yaml.replace(' y\n', ' "no"\n')],
    ['a.yaml', yaml, remove('b'), yaml.replace('b: [1, 2, 3]\n', '')],
    ['a.yaml', yaml, remove('b', 1), yaml.replace('2, ', '')],
    ['a.yaml', yaml, remove('c', 'd'), yaml.replace("  d: 'x' # quoted\n", '')],
    ['a.yaml', yaml, remove('l', 1), yaml.replace('  - 2\n', '')],
    ['a.yaml', 'a: &x 1\nb: *x\n', set(2, 'a'), undefined],
    ['a.yaml', 'a: &x {c: 1}\nb: *x\n', set(2, 'b', 'c'), undefined],
    ['a.yaml', 'a: &x {c: 1}\nb: {<<: *x}\n', rename('d', 'b', 'c'), undefined],
    ['a.yaml', '- a: 1\n  b: 2\n', remove(0, 'a'), undefined],
    ['a.yaml', 'a: |\n  x\n  y\nb: 1\n', remove('a'), 'b: 1\n'],
    ['a.json', `{'it\\'s "it"': 1}`, { kind: 'straighten-quotes', offset: 1 }, `{"it's \\"it\\"": 1}`],
    ['a.json', "{'a: 1}", { kind: 'straighten-quotes', offset: 1 }, undefined],
  ])('keeps everything else: %s %j %j', (file, text, edit, edited) => {
    expect(applyEdits(text, file, [edit])).toBe(edited);
  });

  const value: fc.Arbitrary<Json> = fc.letrec<{ readonly value: Json }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom<Json>(1, true, null, 'x', 'a b', '# no', ''),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'c d', '#'), tie('value'), { maxKeys: 3 }),
    ),
  })).value;

  it(
    'changes only its place, or is not made',
    () => {
      let made = 0;
      fc.assert(
        fc.property(
          fc.dictionary(fc.constantFrom('a', 'b', 'c'), value, { minKeys: 1, maxKeys: 3 }),
          fc.integer(),
          fc.nat(),
          (source, seed, which) => {
            const { text, places } = writeYaml(source, seed);
            const pointers = [...places.keys()].filter((pointer) => pointer !== '');
            const pointer = pointers[which % pointers.length];
            fc.pre(pointer !== undefined);
            const edited = applyEdits(text, 'a.yaml', [{ kind: 'remove', at: pointer as JsonPointer }]);
            if (edited === undefined) return;
            made += 1;
            const { document, reporter } = parseConfig(edited, { file: 'a.yaml', isFile: true });
            expect(reporter.diagnostics()).toEqual([]);
            expect(document?.value).not.toEqual(source);
          },
        ),
        lawRuns,
      );
      expect(made).toBeGreaterThan(0);
    },
    slowLawMs,
  );
});
