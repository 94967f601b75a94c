import { describe, expect, it } from 'vitest';
import { maskSecrets } from '../../../../compiler/diagnostic-text/mask-secrets.ts';
import { parseConfig } from '../../../../compiler/parse/parse-config.ts';
import { toPointer } from '../../../../schema/json/pointer.ts';

const read = (text: string, file = 'a.yaml') => {
  const { document, reporter } = parseConfig(text, { file, isFile: true });
  return {
    value: document?.value,
    document,
    found: reporter.diagnostics().map(({ code, message, span }) => `${span.line}:${span.column} ${code} ${message}`),
  };
};

/** An alias bomb: each level contains the previous one nine times. */
const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]']
  .concat(
    ['b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].map(
      (name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[at]}`).join(', ')}]`,
    ),
  )
  .join('\n');

describe('the YAML reader', () => {
  it.each<[string, string, unknown]>([
    ['words such as yes and on as strings', 'a: yes\nb: no\nc: on\nd: Off', { a: 'yes', b: 'no', c: 'on', d: 'Off' }],
    [
      'the core schema',
      'a: True\nb: ~\nc:\nd: 0x1F\ne: 0o17\nf: 017',
      { a: true, b: null, c: null, d: 31, e: 15, f: 17 },
    ],
    ['dates and numbers with underscores as strings', 'a: 2001-12-14\nb: 1_000', { a: '2001-12-14', b: '1_000' }],
    ['the tags of YAML itself', 'a: !!str 1\nb: !!int "2"', { a: '1', b: 2 }],
    ['keys in their written form', '1: a\ntrue: b\n0x10: c', { '1': 'a', true: 'b', '0x10': 'c' }],
    ['aliases', 'a: &x [1]\nb: *x', { a: [1], b: [1] }],
    ['an anchor that is defined again', 'a: &x 1\nb: *x\nc: &x 2\nd: *x', { a: 1, b: 1, c: 2, d: 2 }],
    [
      'merged objects, whose members an object can override',
      'a: &a {x: 1, y: 2}\nb: {<<: *a, y: 3}',
      { a: { x: 1, y: 2 }, b: { x: 1, y: 3 } },
    ],
    [
      'a list of merged objects, of which the first has precedence',
      '<<: [{a: 1}, {a: 2, b: 3}]\nc: 4',
      { a: 1, b: 3, c: 4 },
    ],
    ['a quoted "<<" as an ordinary key', '"<<": 1', { '<<': 1 }],
    ['line ends of Windows', 'a: 1\r\nb:\r\n  c: |\r\n    x\r\n', { a: 1, b: { c: 'x\n' } }],
    ['a byte order mark', '\uFEFFa: 1\nb: 2', { a: 1, b: 2 }],
    ['a single document with its markers', '%YAML 1.2\n--- # x\na: 1\n...\n', { a: 1 }],
    ['keys with a special meaning in JavaScript', '__proto__: {a: 1}', JSON.parse('{"__proto__":{"a":1}}')],
    ['everything that is JSON', '{"a": [1, "\\u00e9", null, {"b": -1.5e3}]}', { a: [1, 'é', null, { b: -1500 }] }],
    [
      'a hundred levels of nesting',
      `${'['.repeat(100)}${']'.repeat(100)}`,
      JSON.parse(`${'['.repeat(100)}${']'.repeat(100)}`),
    ],
  ])('supports %s', (_, text, value) => {
    expect(read(text)).toMatchObject({ value, found: [] });
  });

  it.each([
    ['a:\n\tb: 1', '2:1', 'it is indented by a tab'],
    ['a: 1\n---\nb: 2', '2:1', 'a second document follows the first'],
    ['a: !foo 1', '1:4', 'only the tags of YAML itself, such as !!str, are read'],
    ['a: !!binary aGk=', '1:4', 'only the tags of YAML itself, such as !!str, are read'],
    ['? !x a\n: 1', '1:3', 'only the tags of YAML itself, such as !!str, are read'],
    ['a:\n   b: 1\n  c: 2', '3:1', 'the indentation does not fit the lines above'],
    ['a: "x\nb: 1', '2:5', 'a closing quote is missing'],
    ['a: [1, 2\nb: 3', '2:1', 'a closing bracket is missing'],
    ['a: {b: 1\n', '1:9', 'a closing brace is missing'],
    ['a: {b: ${env:KEY}}', '1:8', 'a reference inside brackets or braces has no quotes'],
    ['a:\n- {b: ${env:KEY}, c: 1}', '2:7', 'a reference inside brackets or braces has no quotes'],
    ['a: [${env:KEY}]', '1:5', 'a reference inside brackets or braces has no quotes'],
    ['a: *x', '1:4', 'no anchor above is called "x"'],
    ['a: &a {b: *a}', '1:11', 'the alias is inside the value that it repeats'],
    ['&a [*a]', '1:5', 'the alias is inside the value that it repeats'],
    ['a: {<<: 1}', '1:9', '"<<" takes an object, or a list of objects'],
    ['a: -.inf', '1:4', 'infinity and NaN are not values here'],
    ['a: 1e999', '1:4', 'infinity and NaN are not values here'],
    ['a: [9007199254740993]', '1:5', 'this number has more digits than a number can keep'],
    ['~: x', '1:1', 'a key is not a string'],
    ['? [a]\n: 1', '1:3', 'a key is not a string'],
    ['a: &x y\n*x : 1', '2:1', 'a key is not a string'],
    ['%YAML 1.1\n---\na: yes', '1:1', 'only the directive "%YAML 1.2" is read'],
    ['%TAG ! tag:x,2000:\n---\na: 1', '1:1', 'only the directive "%YAML 1.2" is read'],
    ['# nothing', '1:1', 'it is empty'],
    [' \n', '1:1', 'it is empty'],
    ['a\0:\0', '1:2', 'it is encoded in UTF-16 or UTF-32'],
    ['a: \0', '1:4', 'it contains a zero character (U+0000)'],
    ['a: @x', '1:4', 'a string cannot begin with this character'],
    ['a: "\\q"', '1:5', 'double quotes do not have this escape'],
    [bomb, '6:8', 'it has more than 100000 values, with those that its aliases repeat'],
    [
      `- &a ${'['.repeat(60)}${']'.repeat(60)}\n- ${'['.repeat(40)}*a`.concat(']'.repeat(40)),
      '2:43',
      'it is nested more than 100 levels deep',
    ],
    ['['.repeat(101), '1:101', 'it is nested more than 100 levels deep'],
    ['? '.repeat(50_000), '1:201', 'it is nested more than 100 levels deep'],
    [`a: ${'x'.repeat(4_000_000)}`, '1:1', 'it has more than 4000000 characters'],
  ])('rejects text %#: $2, at $1', (text, place, why) => {
    const { value, found } = read(text);
    expect(value).toBeUndefined();
    expect(found).toEqual([`${place} syntax-error This is not valid YAML: ${why}.`]);
  });

  it('suggests the intended name of an anchor', () => {
    const { reporter } = parseConfig('base: &base 1\nb: *bas', { file: 'a.yml', isFile: true });
    expect(reporter.diagnostics()[0]?.hint).toBe('Did you mean "*base"?');
  });

  it.each([
    ['api_key:${env:KEY}', 'provider: echo\n', ''],
    ['model:gpt', 'provider: echo\n', '\nretry: {attempts: 1}'],
    ['provider:echo', 'targets:\n- name: a\n  ', '\n- name: b'],
  ])('suggests a space after the colon of %s', (line, before, after) => {
    const { reporter } = parseConfig(`${before}${line}${after}`, { file: 'a.yml', isFile: true });
    const [{ message, hint, span } = expect.fail()] = reporter.diagnostics();
    expect(message).toBe('This is not valid YAML: no space follows the colon.');
    expect(hint).toBe('Write a space after the colon.');
    expect(span.line).toBe(before.split('\n').length);
  });

  it.each([
    [
      'targets:\n  - name: a\n    provider: echo\n   retry: {attempts: 1}',
      '4:1',
      'the indentation does not fit the lines above',
    ],
    ['provider: echo\nname', '2:1', 'a colon is missing, or a key goes over several lines'],
  ])('explains what is wrong with %j', (text, place, why) => {
    expect(read(text).found).toEqual([`${place} syntax-error This is not valid YAML: ${why}.`]);
  });

  it('suggests quotes for a string that contains a colon', () => {
    const { reporter } = parseConfig('custom_host: http://a: b\n', { file: 'a.yml', isFile: true });
    expect(reporter.diagnostics()[0]?.hint).toContain('Put quotes around a string with a colon and a space in it');
  });

  it('reports a key that appears twice', () => {
    expect(read('a: 1\nb: {c: 1, c: 2}\na: 2').found).toEqual([
      '2:11 duplicate-key The key "c" appears twice in the same object.',
      '3:1 duplicate-key The key "a" appears twice in the same object.',
    ]);
  });

  it('locates each member, even if it comes from an alias or a merge', () => {
    const { document } = read('a: &a\n  x: 1\nb: *a\nc:\n  <<: *a\n  y: [2, z]\n');
    const place = (tokens: readonly (string | number)[], part: 'key' | 'value'): string | undefined => {
      const span = document?.readSpan(toPointer(tokens), part);
      return span && `${span.line}:${span.column}+${span.length}`;
    };
    expect(place(['a'], 'value')).toBe('2:3+1');
    expect(place(['b'], 'key')).toBe('3:1+1');
    expect(place(['b'], 'value')).toBe('3:4+2');
    expect(place(['b', 'x'], 'value')).toBe('2:6+1');
    expect(place(['c', 'x'], 'key')).toBe('2:3+1');
    expect(place(['c', 'y'], 'value')).toBe('6:6+1');
    expect(place(['c', 'y', 1], 'value')).toBe('6:10+1');
  });

  it.each([
    ['api_key: sk-1234', 'api_key: •••••••'],
    ["api_key: 'hidden'", "api_key: '••••••'"],
    ['x: &k hidden\napi_key: *k', 'x: &k ••••••\napi_key: *k'],
    ['api_key: |\n  one\n  two\nname: a', 'api_key: ••\n••••••\n•••••name: a'.replace('•••••name', '•••••\nname')],
    ['api_key: >\n  hidden\nname: [', 'api_key:••\n••••••••\nname: ['],
    ['- api_key: sk-1234\n   name: one\n   two', '- api_key:••••••••\n   name:••••\n••••••'],
    ['- api_key: >\n   hidden: one\n   two\n- [', '- api_key:••\n••••••••••••••\n••••••\n- ['],
    ['- api_key: sk-1234\n   name: >\n   hidden: one', '- api_key:••••••••\n   name:••\n••••••••••••••'],
    ['- api_key: sk-1234\n   password:\n   hidden: one', '- api_key:••••••••\n   password:\n••••••••••••••'],
    ['- api_key: "sk-1234\\"\n   hidden: one', '- api_key:•••••••••••\n••••••••••••••'],
    ['- api_key: "sk-1234\n   hidden: one\n   two', '- api_key:•••••••••\n••••••••••••••\n••••••'],
    ['api_key: ${env:A}\n   password:\n   hidden: one', 'api_key: ${env:A}\n   password:\n••••••••••••••'],
    ['- api_key: sk-1234\n   token: ${env:A}\n   name: one', '- api_key:••••••••\n   token:•••••••••\n   name:••••'],
    ['api_key: ${env:A} hidden\nname: [', 'api_key:•\nname: ['],
  ])('hides the secrets of %j', (text, shown) => {
    const masked = maskSecrets(text, 'a.yaml');
    expect(masked).toHaveLength(text.length);
    expect(masked).not.toMatch(/hidden|1234|one|two/);
    expect(masked.replaceAll('•', '').replace(/\s+/g, ' ').trim()).toBe(
      shown.replaceAll('•', '').replace(/\s+/g, ' ').trim(),
    );
  });
});

it.each([
  ['a.yaml', 'targets:\n  - name: first\n    api_key: ${env:FIRST_KEY}\n   retry: { attempts: 2 }\n'],
  ['a.yaml', 'api_key:${env:FIRST_KEY}\nretry: { attempts: 2 }\n'],
  ['a.yaml', 'api_key: "Bearer ${file:/run/key}"\r\n   retry: 2\r\n- ['],
  ['a.json', '{\n  "api_key": "${env:FIRST_KEY}",\n  "retry": { "attempts": 2 \n'],
])('a file whose secrets are references is shown in full, even if it is invalid: %s %j', (file, text) => {
  expect(maskSecrets(text, file)).toBe(text);
});

it.each(['a.json', 'a.jsonc'])('%s may have comments and trailing commas, but is not read as YAML', (file) => {
  expect(read('{"a": [1, 2,], // x\n}', file)).toMatchObject({ value: { a: [1, 2] }, found: [] });
  const { reporter } = parseConfig('a: 1', { file, isFile: true });
  expect(reporter.diagnostics().map(({ message }) => message)).toEqual(['This is not valid JSON: it looks like YAML.']);
});
