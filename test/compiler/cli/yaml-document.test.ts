import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readYaml } from '../../../compiler/cli/files/yaml-document.ts';
import { toPointer } from '../../../schema/json/pointer.ts';

const problem = (text: string): string => {
  const { diagnostic } = readYaml(text, 'a.yaml');
  return `${diagnostic?.span.line} ${diagnostic?.message}`;
};

describe('readYaml', () => {
  it('reads every JSON text as JSON, since it is YAML too', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        expect(readYaml(text, 'a.json').document?.value).toEqual(JSON.parse(text));
      }),
    );
  });

  it('gives values, with anchors and merged maps, and the place of each', () => {
    const text = 'a: &a { x: 1, y: on }\nb:\n  <<: *a\n  y: 2\nc: [*a]\n';
    const { document } = readYaml(text, 'a.yaml');
    expect(document?.value).toEqual({ a: { x: 1, y: 'on' }, b: { x: 1, y: 2 }, c: [{ x: 1, y: 'on' }] });
    expect(document?.readSpan(toPointer(['b', 'y']), 'value')).toMatchObject({ line: 4, column: 6, length: 1 });
    expect(document?.readSpan(toPointer(['b', 'y']), 'key')).toMatchObject({ line: 4, column: 3 });
  });

  it.each([
    ['a: 1\na: 2', '2 This is not valid YAML: "a" stands twice in one map.'],
    ['a: 1\nb: .inf', '2 This is not valid YAML: this value cannot be said in JSON.'],
    ['a: 1\n--- \nb: 2', 'multiple documents'],
    ['? [a]\n: 1', '1 This is not valid YAML: a name is not a text.'],
    ['a: !!js/function "x"', 'tag'],
    [`a: ${'['.repeat(200)}${']'.repeat(200)}`, 'it is nested more than 100 levels deep.'],
    ['['.repeat(20_000), 'it is nested more than 100 levels deep.'],
    [`# ${'x'.repeat(1_100_000)}`, 'it has more than 1048576 characters.'],
    ['a: &a [*a]', 'This is not valid YAML'],
  ])('says what is wrong, and where: %#', (text, message) => {
    expect(problem(text)).toContain(message);
  });

  it('bounds what aliases repeat', () => {
    const levels = Array.from(
      { length: 20 },
      (_, at) => `a${at + 1}: &a${at + 1} [${Array(10).fill(`*a${at}`).join(',')}]`,
    );
    expect(problem(['a0: &a0 [x]', ...levels].join('\n'))).toContain('it has more than 100000 values.');
  });

  it('never throws', () => {
    const pieces = fc.constantFrom(
      'a',
      ': ',
      '- ',
      '\n',
      '  ',
      '[',
      ']',
      '{',
      '}',
      ',',
      '&x',
      '*x',
      '<<',
      '"',
      "'",
      '|',
      '>',
      '?',
      '!',
      '#',
      '%',
      '---',
      '\t',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        const { document, diagnostic } = readYaml(parts.join(''), 'a.yaml');
        expect(document === undefined).toBe(diagnostic !== undefined);
      }),
    );
  });
});
