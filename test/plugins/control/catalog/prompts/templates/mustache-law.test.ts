import fc from 'fast-check';
import Mustache from 'mustache';
import { expect, it } from 'vitest';
import { parseTemplate } from '../../../../../../plugins/control/catalog/prompts/templates/parse-template.ts';
import type { JsonObject } from '../../../../../../schema/json/json.ts';
import { lawRuns } from '../../../../../support/run/law-runs.ts';
import { render } from './render.ts';

const readText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** Mustache's own renderer, except that objects and lists are written as the gateway writes them. */
class Reference extends Mustache.Writer {
  override unescapedValue(token: string[], context: Mustache.Context): string {
    return this.escapedValue(token, context, { escape: readText });
  }
}

const reference = (text: string, variables: JsonObject, partials: Readonly<Record<string, string>> = {}): string =>
  new Reference().render(text, variables, partials, { escape: readText });

/**
 * `deep` is only at the top: if an inner item has the first part of a dotted name but not the others, mustache continues
 * the search outside, which its specification and this code do not. No item is null, because mustache fails to look in it.
 */
const names = fc.constantFrom('a', 'b', 'list', 'deep.a', 'deep.b.a', '.', 'none');
const space = fc.constantFrom('', ' ', '\n', '\r\n', '\t', '  \n', '\n  ');
const words = fc.oneof(
  space,
  fc.string({ maxLength: 4 }),
  fc.constantFrom('{', '}', 'x{y}', '\0', '\ud800', 'é', '}}'),
);
const plain = words.map((text) => text.replaceAll('{{', '{ '));

const { template } = fc.letrec<{ template: string; piece: string; section: string }>((tie) => ({
  template: fc.array(fc.tuple(plain, tie('piece')), { maxLength: 5 }).map((pieces) => pieces.flat().join('')),
  piece: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'template' },
    plain,
    fc.tuple(space, names).map(([pad, name]) => `{{${pad}${name}${pad}}}`),
    names.map((name) => `{{#list}}{{.}}{{${name}}}{{/list}}`),
    fc.tuple(words, words).map(([a, b]) => `{{!${a.replaceAll('}', '')}${b.replaceAll('}', '')}}}`),
    tie('section'),
  ),
  section: fc
    .tuple(fc.constantFrom('#', '^'), names, tie('template'), space)
    .map(([mark, name, inner, pad]) => `{{${mark}${pad}${name}}}${inner}{{/${name}${pad}}}`),
}));

const scalars = fc.oneof(
  fc.string({ maxLength: 5 }),
  fc.constantFrom('', 0, -0, 1.5, 1e21, true, false, '{{a}}', '{{#a}}', '\n  '),
);
const item: fc.Arbitrary<unknown> = fc.oneof(
  scalars,
  fc.record({ a: scalars, b: fc.array(scalars, { maxLength: 3 }), none: scalars }, { requiredKeys: [] }),
);
const values = fc.record(
  {
    a: fc.oneof(item, fc.constant(null)),
    b: fc.oneof(item, fc.array(item, { maxLength: 3 })),
    list: fc.array(fc.oneof(item, fc.array(item, { maxLength: 2 })), { maxLength: 3 }),
    deep: fc.record({ a: item, b: item }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<JsonObject>;

it('renders any template as mustache does', () => {
  fc.assert(
    fc.property(template, values, (text, variables) => {
      fc.pre(parseTemplate(text).problems === undefined);
      expect(render(text, variables)).toBe(reference(text, variables));
    }),
    { ...lawRuns, numRuns: lawRuns.numRuns * 5 },
  );
});

it('indents a partial that is alone on its line as mustache does', () => {
  fc.assert(
    fc.property(template, values, fc.constantFrom('', ' ', '  ', '\t'), (text, variables, indentation) => {
      fc.pre(parseTemplate(text).problems === undefined && !/[\r\n][ \t]*\{\{!?[^}]*\n/.test(text));
      const outer = `x\n${indentation}{{>p}}\ny`;
      expect(render(outer, variables, { p: text })).toBe(reference(outer, variables, { p: text }));
    }),
    lawRuns,
  );
});

it('reports the places of the problems of any text, and otherwise renders it as mustache does', () => {
  const pieces = fc.constantFrom(
    '{{',
    '}}',
    '{',
    '}',
    '#',
    '^',
    '/',
    '>',
    '!',
    '&',
    '=',
    'a',
    '.',
    '@1',
    ' ',
    '\n',
    'é',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
      const text = parts.join('');
      const { template: made, problems } = parseTemplate(text);
      if (made === undefined) {
        const lines = text.split('\n');
        for (const { line, column } of problems) {
          expect(lines[line - 1]?.slice(column - 1).startsWith('{{')).toBe(true);
        }
      } else expect(render(text, { a: 1 })).toBe(reference(text.replaceAll(/\{\{\s*>\s*>/g, '{{&'), { a: 1 }));
    }),
    { ...lawRuns, numRuns: lawRuns.numRuns * 5 },
  );
});
