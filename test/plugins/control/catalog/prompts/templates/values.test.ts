import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../../../schema/json/json.ts';
import { render } from './render.ts';

const json = (text: string): JsonObject => JSON.parse(text) as JsonObject;

describe('a value', () => {
  it.each([
    ['that is an object is rendered as JSON', '{{x}}', '{"x":{"a":[1,"é"]}}', '{"a":[1,"é"]}'],
    ['that is a list is rendered as JSON', '{{x}}', '{"x":[1,{"a":null}]}', '[1,{"a":null}]'],
    ['that is true or false is rendered as that word', '{{x}} {{y}}', '{"x":true,"y":false}', 'true false'],
    ['of 0 is rendered as text, but is false for a section', '{{x}}{{#x}}a{{/x}}{{^x}}b{{/x}}', '{"x":0}', '0b'],
    ['that is an empty text is false for a section', '{{#x}}a{{/x}}{{^x}}b{{/x}}', '{"x":""}', 'b'],
    ['that is an empty object is true for a section', '{{#x}}a{{/x}}{{^x}}b{{/x}}', '{"x":{}}', 'a'],
    ['is never rendered again', '{{x}}', '{"x":"{{y}}{{#x}}{{/x}}","y":1}', '{{y}}{{#x}}{{/x}}'],
    ['of a private partial is inserted as text', 'a\n  {{>>x}}\nb', '{"x":"{{y}}\\n{{>z}}"}', 'a\n  {{y}}\n{{>z}}\nb'],
    ['of a private partial is found by its dotted name', '{{>> x.y }}', '{"x":{"y":1}}', '1'],
    ['in a list is found by its index, but a list has no length', '{{x.1}}{{x.length}}', '{"x":["a","b"]}', 'b'],
    ['of null in a list is empty and hides no outer names', '{{#x}}({{.}}{{y}}){{/x}}', '{"x":[null],"y":1}', '(1)'],
    ['of null hides the outer value of the same name', '{{#x}}({{y}}){{/x}}', '{"x":{"y":null},"y":1}', '()'],
  ])('%s', (_, text, variables, result) => {
    expect(render(text, json(variables))).toBe(result);
  });

  it.each([
    '{{constructor.name}}',
    '{{constructor}}',
    '{{__proto__}}',
    '{{__proto__.x}}',
    '{{toString}}',
    '{{#toString}}a{{/toString}}',
    '{{hasOwnProperty.call.name}}',
    '{{text.length}}{{text.0}}{{text.constructor.name}}',
    '{{list.length}}{{list.map.name}}{{#list.constructor}}a{{/list.constructor}}',
    '{{#text}}{{length}}{{constructor.name}}{{/text}}',
    '{{number.toFixed.name}}',
    '{{__defineGetter__.name}}',
  ])('of a prototype is not found: %s', (text) => {
    expect(render(text, { text: 'abc', list: [1], number: 1 })).toBe('');
  });

  it('of an own member is found, whatever its name', () => {
    const variables = json('{"__proto__":{"x":1},"constructor":{"name":2},"toString":3}');
    expect(render('{{__proto__.x}}{{constructor.name}}{{toString}}', variables)).toBe('123');
    expect(({} as { x?: number }).x).toBeUndefined();
  });
});

it('NUL, lone surrogates and CRLF stay as they are', () => {
  expect(render('\0{{x}}\ud800\r\n{{\u{1F600}}}\r\n', { x: '\0\udc00', '\u{1F600}': '\r' })).toBe(
    '\0\0\udc00\ud800\r\n\r\r\n',
  );
});

describe('white space where mustache.js departs from its specification', () => {
  it('stays between partials on one line, and so does the end of the line', () => {
    expect(render('  {{>a}} {{>b}}\n{{#x}}{{>a}}{{/x}}\n.', { x: true }, { a: 'A', b: 'B' })).toBe('  A B\nA\n.');
  });

  it('is not added before the lines of a partial that follows text', () => {
    expect(render('text {{>a}}\n', {}, { a: 'A\nB' })).toBe('text A\nB\n');
  });

  it('indents partials in indented partials further, and each line of a section once', () => {
    const partials = { a: '{{#l}}\n{{.}};\n{{/l}}\n  {{>b}}\n\n{{x}}\n', b: '{{x}}\n{{#l}}-{{/l}}' };
    expect(render(' {{>a}}\n.', { l: [1, 2], x: 'X' }, partials)).toBe(' 1;\n 2;\n   X\n   --\n X\n.');
  });
});
