import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromJson, hasEscapedName } from '../../../schema/json/from-json.ts';
import type { Json } from '../../../schema/json/json.ts';

interface Written {
  readonly text: string;
  /** A text with names that the engine may mistake for those of `text`. */
  readonly misleading: string;
  readonly value: Json;
  readonly isNameEscaped: boolean;
}

const shortEscapes = new Map(Array.from('"\\/\b\f\n\r\t', (character, at) => [character, `\\${'"\\/bfnrt'[at]}`]));

/** Writes a string in quotes, with escapes where they are required or where a choice is 1 or 2. */
const spelling = (value: string, choices: readonly number[]): string => {
  const written = value.split('').map((character, at) => {
    const choice = choices[at % choices.length] ?? 0;
    const short = shortEscapes.get(character);
    if (choice === 0 && !/["\\\p{Cc}]/u.test(character)) return character;
    return (choice < 2 && short) || `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
  return `"${written.join('')}"`;
};

const name = fc.oneof(
  fc.constantFrom(
    'model',
    'a',
    'b',
    '\\',
    '"',
    '\n',
    '/',
    '',
    '1',
    '__proto__',
    'é',
    '\ud800',
    '😀',
    ':',
    '\\"',
    '":',
    '\\\\:',
  ),
  fc.string({ unit: fc.constantFrom('a', '\\', '"', 'u', '0', '\n', ':', '/', ' ', '一', '\u0001'), maxLength: 5 }),
);
const spelled = fc
  .tuple(name, fc.array(fc.constantFrom(0, 0, 0, 1, 2), { minLength: 1, maxLength: 6 }))
  .map(([value, choices]) => ({ value, text: spelling(value, choices) }));
/** The engine remembers few shapes that begin alike. With a unique first name, an object begins like no other. */
const own = fc.nat().map((at) => ({ value: `own ${at}`, text: `"own ${at}"` }));

type WrittenMember = readonly [key: { readonly value: string; readonly text: string }, value: Written];

const toMembers = (value: fc.Arbitrary<Written>): fc.Arbitrary<readonly WrittenMember[]> =>
  fc
    .tuple(fc.array(fc.tuple(own, value), { maxLength: 1 }), fc.array(fc.tuple(spelled, value), { maxLength: 5 }))
    .map((members) => members.flat());

const space = fc.constantFrom('', '', '', ' ', '\n', '\t\r ');

const plainly = (value: Json): Written => {
  const text = JSON.stringify(value);
  return { text, misleading: text, value, isNameEscaped: false };
};

const { written } = fc.letrec<{ readonly written: Written }>((tie) => ({
  written: fc.oneof(
    { maxDepth: 4, depthSize: 'large' },
    fc.constantFrom<Json>(null, true, false, 0, -1.5e-3, 1e300, ':', '":', '\\').map(plainly),
    spelled.map(({ value, text }) => ({ ...plainly(value), text })),
    fc.tuple(fc.array(tie('written'), { maxLength: 4 }), space).map(([items, gap]) => ({
      text: `[${gap}${items.map(({ text }) => text).join(`${gap},${gap}`)}${gap}]`,
      misleading: `[${items.map(({ misleading }) => misleading).join()}]`,
      value: items.map(({ value }) => value),
      isNameEscaped: items.some(({ isNameEscaped }) => isNameEscaped),
    })),
    fc.tuple(toMembers(tie('written')), space).map(([members, gap]) => ({
      text: `{${gap}${members.map(([key, { text }]) => `${key.text}${gap}:${gap}${text}`).join(`${gap},${gap}`)}${gap}}`,
      misleading: `{${members
        .map(([key, { misleading }]) => `${JSON.stringify(key.text.slice(1, 1 + key.value.length))}:${misleading}`)
        .join()}}`,
      value: Object.fromEntries(members.map(([key, { value }]) => [key.value, value])),
      isNameEscaped: members.some(([key, { isNameEscaped }]) => isNameEscaped || key.text.includes('\\')),
    })),
  ),
}));

const toFailure = (read: (text: string) => unknown, text: string): unknown => {
  try {
    read(text);
    return undefined;
  } catch (error) {
    return error;
  }
};

describe('the value of a JSON text', () => {
  it.each([
    ['an escape at the beginning of a name', '{"rare":1,"\\\\":1}', '{"rare":1,"\\u0041":1}', { rare: 1, A: 1 }],
    ['an escape within a name', '{"odd":1,"mod\\\\u":1}', '{"odd":1,"mod\\u0065l":1}', { odd: 1, model: 1 }],
    ['an escape in the name "model"', '{"few":1,"\\\\u006":1}', '{"few":1,"\\u006dodel":1}', { few: 1, model: 1 }],
    ['a member between others', '{"a":1,"\\\\":1,"b":1}', '{"a":1,"\\"":1,"b":1}', { a: 1, '"': 1, b: 1 }],
    ['an inner object', '[{"a":[{"in":1,"x\\\\":1}]}]', '[{"a":[{"in":1,"x\\/":1}]}]', [{ a: [{ in: 1, 'x/': 1 }] }]],
    ['names with two bytes per character', '{"二":1,"一\\\\":1}', '{"二":1,"一\\u4e8c":1}', { 二: 1, 一二: 1 }],
  ])('does not depend on the texts before it: %s', (_, misleading, text, value) => {
    JSON.parse(misleading);
    expect(fromJson(text)).toEqual(value);
  });

  it('does not depend on the texts before it, however names are written', () => {
    fc.assert(
      fc.property(written, ({ text, misleading, value }) => {
        JSON.parse(misleading);
        const read = fromJson(text);
        expect(isDeepStrictEqual(read, value)).toBe(true);
        // The order of the members too.
        expect(JSON.stringify(read)).toBe(JSON.stringify(value));
      }),
      { numRuns: 3000 },
    );
  });

  it('does not mislead other readers in the process', () => {
    fromJson('{"not yet misread":1,"\\\\":1}');
    expect(JSON.parse('{"not yet misread":1,"\\u0041":1}')).toEqual({ 'not yet misread': 1, A: 1 });
    // The object is still like any other.
    const read = fromJson('{"\\\\":1,"__proto__":2}');
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
    expect(Object.entries(read)).toEqual([
      ['\\', 1],
      ['__proto__', 2],
    ]);
  });

  it('is accepted or rejected as by the engine, with a SyntaxError for invalid texts', () => {
    const change = fc.record({
      at: fc.nat({ max: 200 }),
      removed: fc.constantFrom(0, 1, 1, 2),
      added: fc.constantFrom(
        '',
        '"',
        '\\',
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '0',
        '-',
        '.',
        'e',
        'nul',
        '\u0001',
        '\u00a0',
        '\ufeff',
      ),
    });
    let valid = 0;
    fc.assert(
      fc.property(written, change, ({ text }, { at, removed, added }) => {
        const whole = `{"\\u0041":${text}}`;
        const from = 10 + (at % (whole.length - 9));
        const changed = `${whole.slice(0, from)}${added}${whole.slice(from + removed)}`;
        const failure = toFailure(fromJson, changed);
        expect(failure === undefined).toBe(toFailure(JSON.parse, changed) === undefined);
        if (failure === undefined) valid += 1;
        else expect(failure).toBeInstanceOf(SyntaxError);
      }),
      { numRuns: 3000 },
    );
    expect(valid).toBeGreaterThan(100);
  });
});

describe('hasEscapedName', () => {
  it('finds exactly the texts with a name that is written with an escape', () => {
    fc.assert(
      fc.property(written, ({ text, isNameEscaped }) => {
        expect(hasEscapedName(text)).toBe(isNameEscaped);
      }),
      { numRuns: 3000 },
    );
  });
});

describe('the sources', () => {
  const root = path.resolve(import.meta.dirname, '../../..');
  /** The reader itself, code that runs only at development time, templates for plugin authors, and code for browsers. */
  const may = [
    'schema/json/from-json.ts',
    'schema/json/json-reader.ts',
    'schema/generate.ts',
    'compiler/cli/plugin/templates/',
    'plugins/console/app/',
  ];

  it('do not parse JSON with the engine directly', () => {
    const files = globSync(['{schema,plugins,compiler,runtime,gw}/**/*.ts', '*.ts'], { cwd: root });
    expect(files.length).toBeGreaterThan(500);
    const reading = files
      .filter((file) => !may.some((allowed) => file.startsWith(allowed)))
      .filter((file) => /^(?!\s*(?:\/?\*|\/\/)).*JSON\.parse\b/m.test(readFileSync(path.join(root, file), 'utf8')));
    expect(reading).toEqual([]);
  });
});
