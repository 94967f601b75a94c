import { describe, expect, it } from 'vitest';
import { compile } from '../../../compiler/compile.ts';
import { testCatalogue as catalogue } from '../../support/plans/catalogue.ts';

const found = (text: string, trust: 'operator' | 'caller' = 'operator') =>
  compile(text, { trust, catalogue }).diagnostics.map(
    ({ code, message, span }) => `${span.line}:${span.column} ${code} ${message}`,
  );

describe('the text of a config', () => {
  it('may have comments and trailing commas only in a file', () => {
    const text = '{ /* who */ "provider": "echo", }';
    expect(found(text)).toEqual([]);
    expect(found(text, 'caller')).toEqual([
      '1:3 syntax-error This is not valid JSON: comments are allowed only in files.',
    ]);
  });

  it('may name its schema only in a file', () => {
    const text = '{"$schema":"../config.schema.json","provider":"echo"}';
    expect(found(text)).toEqual([]);
    expect(found(text, 'caller')).toEqual(['1:2 unknown-key "$schema" is not a setting here.']);
    expect(found('{"$schema":5,"provider":"echo"}')).toHaveLength(1);
    expect(found('{"provider":"echo","override_params":{"$schema":"x"}}')).toEqual([]);
  });

  it('may start with a byte order mark, and end lines in any way', () => {
    expect(found('\uFEFF{"provider":"echo"}')).toEqual([]);
    expect(found('\uFEFF{"a" 1}')).toEqual([expect.stringMatching(/^1:6 syntax-error/)]);
    expect(found('\uFEFF')).toEqual([expect.stringMatching(/^1:1 syntax-error .*it is empty/)]);
    expect(found('{\r\n"provider":"echo",\r"wieght":1\n}')).toEqual([
      '3:1 unknown-key "wieght" is not a setting here.',
    ]);
  });

  it.each([
    ['', '1:1', 'it is empty'],
    [' \n\n', '1:1', 'it is empty'],
    ['{"a" 1}', '1:6', 'a colon is expected here'],
    ['{"a":1 "b":2}', '1:8', 'a comma is expected here'],
    ['{"a":}', '1:6', 'a value is expected here'],
    ['{a:1}', '1:2', 'does not know|double quotes'],
    ['{"a":"x', '1:6', 'no closing double quote'],
    ['{"a":1} {}', '1:9', 'a second document follows'],
    ['{"a":[1', '1:8', 'closing bracket'],
    ['{"a":1', '1:7', 'closing brace is missing'],
    ['{"a":{"b":1}\n\n', '1:13', 'closing brace is missing'],
    ['[1', '1:3', 'closing bracket is missing'],
    ['{"a":1e999}', '1:6', 'too large'],
    ['{"a":9007199254740993}', '1:6', 'this number has more digits than a number can keep'],
    ['{"a":[0,-12345678901234567890]}', '1:9', 'more digits'],
    ["{'a':1}", '1:2', 'single quotes'],
  ])('%j is not JSON at %s', (text, place, words) => {
    const [first, ...more] = found(text, 'caller');
    expect(more).toEqual([]);
    expect(first).toMatch(new RegExp(`^${place} syntax-error .*(${words})`));
  });

  it.each([
    ['{"a":9007199254740992}'],
    ['{"a":-9007199254740994}'],
    // The form in which 2 ** 64 is written.
    ['{"a":18446744073709552000}'],
    ['{"a":10000000000000000000000}'],
    ['{"a":12345678901234567890.5}'],
    ['{"a":"9007199254740993"}'],
  ])('may be %s, which has no integer that loses digits', (text) => {
    expect(found(text, 'caller').filter((each) => each.includes('syntax-error'))).toEqual([]);
  });

  it.each([
    ['{"name":"a\0"}', 'it contains a zero character (U+0000)', 'Remove the character.'],
    ['{\0"\0p\0', 'it is encoded in UTF-16 or UTF-32', 'Save the file as UTF-8.'],
    [
      'provider: openai\napi_key: x\n',
      'it looks like YAML',
      'Rename the file so that it ends in .yaml, or write JSON: { "provider": … }.',
    ],
    [
      '# who\n- provider: openai\n',
      'it looks like YAML',
      'Rename the file so that it ends in .yaml, or write JSON: { "provider": … }.',
    ],
    ['provider = "openai"\n', 'it looks like TOML or an INI file', 'Write the config as JSON: { "provider": … }.'],
    ['const a = {}', 'it is JavaScript', 'Keep only the object, with its keys and strings in double quotes.'],
    ['```json\n{}\n```', 'it is inside a Markdown code fence', 'Remove the lines that begin with ```.'],
    ['{"a":NaN}', 'NaN is not a JSON value', 'Write a number.'],
    ['{"a":True}', 'this is not how JSON writes true', 'Write true, in lower case.'],
    ['{"a":None}', 'this is not how JSON writes null', 'Remove the key, or write null.'],
    ['{"a":01}', 'this is not a JSON number', 'Write it in decimal, without leading zeros.'],
    ["{'a':1}", 'it uses single quotes', 'Write keys and strings in double quotes.'],
    ['{\u201ca\u201d:1}', 'it uses typographic quotes', 'Replace them with straight double quotes.'],
    ['{a:1}', 'this key is not in double quotes', 'Put double quotes around the key.'],
    ['{"a":1} bye', 'text follows the end of the config', 'Remove what follows.'],
    ['{"a":1}}', 'there is one closing bracket or brace too many', 'Remove it.'],
    ['{"a":[1}', 'a closing bracket is missing before this brace', 'Add "]" before it.'],
    [
      '{"a":1 # b\n}',
      '"#" does not start a comment',
      'Remove it, or write // … instead; files may have such comments.',
    ],
    [
      '',
      'it is empty',
      'Write an object, such as { "provider": "echo" } in a config, {} in a gateway file, or { "tests": [ … ] } in a file of route tests.',
    ],
  ])('%j gets an explanation and a hint', (text, why, hint) => {
    expect(compile(text, { trust: 'operator', catalogue }).diagnostics).toMatchObject([
      { code: 'syntax-error', message: `This is not valid JSON: ${why}.`, hint },
    ]);
  });

  it('has each repeated key reported at its second place, and the rest checked too', () => {
    expect(found('{"provider":"echo","retry":{"attempts":1,"attempts":2},"provider":"nobody"}')).toEqual([
      '1:42 duplicate-key The key "attempts" appears twice in the same object.',
      '1:56 duplicate-key The key "provider" appears twice in the same object.',
      '1:67 unknown-provider There is no provider "nobody".',
    ]);
  });

  it('has one finding if it is not an object', () => {
    for (const text of ['[]', '"x"', '5', 'null', 'true']) expect(found(text)).toHaveLength(1);
  });

  it('keeps unusual keys as they are', () => {
    const { plan } = compile('{"provider":"echo","override_params":{"__proto__":{"a":1},"a/b~c":2}}', {
      trust: 'caller',
      catalogue,
    });
    expect(Object.keys(plan?.targets[0]?.params.override ?? {})).toEqual(['__proto__', 'a/b~c']);
  });

  it('has at most 200 findings', () => {
    const many = JSON.stringify(Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`wrong${at}`, at])));
    const { diagnostics, plan } = compile(many, { trust: 'caller', catalogue });
    expect(plan).toBeUndefined();
    expect(diagnostics.length).toBeLessThanOrEqual(200);
  });
});
