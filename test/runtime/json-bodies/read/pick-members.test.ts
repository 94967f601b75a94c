import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { builtinDialects } from '../../../../plugins/dialects/builtin-dialects.ts';
import type { MemberSelection } from '../../../../plugins/sdk/dialect/member-selection.ts';
import { parsedObject } from '../../../../runtime/json-bodies/read/parsed-object.ts';
import { pickMembers } from '../../../../runtime/json-bodies/read/pick-members.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { lawRuns } from '../../../support/run/law-runs.ts';

/** Defines picking: returns the picked members of an object that was parsed whole. */
const picked = (object: JsonObject, selection: MemberSelection): JsonObject =>
  Object.fromEntries(
    Object.entries(selection).flatMap(([name, inner]): readonly (readonly [string, Json])[] => {
      const value = Object.hasOwn(object, name) ? object[name] : undefined;
      if (value === undefined) return [];
      if (inner === true) return [[name, value]];
      if (Array.isArray(inner)) {
        const [ofEach] = inner;
        return Array.isArray(value) ? [[name, value.filter(isJsonObject).map((each) => picked(each, ofEach))]] : [];
      }
      return isJsonObject(value) ? [[name, picked(value, inner as MemberSelection)]] : [];
    }),
  );

const selection: MemberSelection = {
  ...{ usage: true, model: true, 'naïve "key"': true },
  choices: [{ finish_reason: true, choices: [{ usage: true }] }],
  message: { usage: true, message: { model: true } },
};
const names = [
  'usage',
  'model',
  'choices',
  'finish_reason',
  'message',
  'naïve "key"',
  '',
  'usage ',
  'Usage',
  'content',
  '__proto__',
  '12',
];

const whole = (bytes: Uint8Array): JsonObject | undefined => {
  const object = parsedObject(Buffer.from(bytes).toString());
  return object && picked(object, selection);
};
const pick = (bytes: Uint8Array): JsonObject | undefined => pickMembers(bytes, selection);

const escapedAs = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
/** A string as JSON may write it, with some of its characters as escapes. */
const written = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(text, fc.array(fc.boolean(), { maxLength: 8 })).map(([value, escapes]) => {
    const units = value
      .split('')
      .map((unit, index) => (escapes[index] === true ? escapedAs(unit) : JSON.stringify(unit).slice(1, -1)));
    return `"${units.join('')}"`;
  });

const space = fc.constantFrom('', '', '', ' ', '\n  ', '\t', '\r\n');
const name = written(fc.constantFrom(...names));
const scalar = fc.oneof(
  written(fc.string({ unit: 'binary', maxLength: 40 })),
  written(fc.constantFrom('"usage":{"a":1}', '\\', '\\"', '}', ']', '{', '\\u0022', 'ü'.repeat(30), 'a'.repeat(300))),
  fc.double().map((value) => JSON.stringify(value)),
  fc.constantFrom('0', '-0', '1e999', '1E+2', '-1.5e-7', '12345678901234567890', '0.000000000000000000012345'),
  fc.constantFrom('true', 'false', 'null'),
);
const listed = (open: string, items: fc.Arbitrary<string>, close: string): fc.Arbitrary<string> =>
  fc
    .tuple(fc.array(fc.tuple(space, items, space), { maxLength: 5 }), space)
    .map(([all, empty]) => `${open}${all.map((parts) => parts.join('')).join(',') || empty}${close}`);
const { object } = fc.letrec<{ value: string; object: string; list: string; member: string }>((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, scalar, tie('object'), tie('list')),
  member: fc
    .tuple(name, space, space, tie('value'))
    .map(([key, before, after, value]) => `${key}${before}:${after}${value}`),
  object: listed('{', tie('member'), '}'),
  list: listed('[', tie('value'), ']'),
}));

/** Bytes that texts consist of, bytes that they must not contain, and bytes of invalid UTF-8 and of byte order marks. */
const oddBytes = [
  ...Buffer.from('{}[]":,\\/ \n\t0123456789.-+eEtfnu'),
  0,
  0x0b,
  0x1f,
  0x7f,
  0x80,
  0xc3,
  0xef,
  0xff,
  0xfe,
];
const edit = fc.record({ at: fc.nat(), byte: fc.constantFrom(...oddBytes), how: fc.constantFrom('put', 'add', 'cut') });

const edited = (bytes: Buffer, { at, byte, how }: { at: number; byte: number; how: string }): Buffer => {
  const offset = at % (bytes.length + 1);
  if (how === 'add') return Buffer.concat([bytes.subarray(0, offset), Buffer.of(byte), bytes.subarray(offset)]);
  if (how === 'cut') return bytes.subarray(0, offset);
  const copy = Buffer.from(bytes);
  copy.fill(byte, offset, Math.min(offset + 1, copy.length));
  return copy;
};

describe('picked members', () => {
  it('equal those of the whole object, with repeated names and names with escapes', () => {
    const law = fc.property(fc.tuple(space, object, space), (parts) => {
      const bytes = Buffer.from(parts.join(''));
      expect(whole(bytes)).toBeDefined();
      expect(pick(bytes)).toEqual(whole(bytes));
    });
    fc.assert(law, lawRuns);
  });

  it('equal those of the whole object, whatever the bytes are', () => {
    const law = fc.property(object, fc.array(edit, { minLength: 1, maxLength: 3 }), (text, edits) => {
      const bytes = edits.reduce(edited, Buffer.from(text));
      expect(pick(bytes)).toEqual(whole(bytes));
    });
    fc.assert(law, { ...lawRuns, numRuns: lawRuns.numRuns * 5 });
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        expect(pick(bytes)).toEqual(whole(bytes));
      }),
      lawRuns,
    );
  });

  it.each<[what: string, text: string | Buffer]>([
    ['in a string', '{"content":"\\"usage\\":{\\"a\\":1}"}'],
    ['in a string at the end', '{"usage":{"a":1},"content":"}\\",\\"usage\\":{\\"a\\":2}"}'],
    ['twice', '{"usage":{"a":1},"usage":{"a":2}}'],
    ['twice, the second with an escaped name', '{"usage":{"a":1},"us\\u0061ge":{"a":2}}'],
    ['twice, the second with null', '{"usage":{"a":1},"usage":null}'],
    ['twice, the second with another type', '{"choices":[{"finish_reason":"stop"}],"choices":"none"}'],
    ['in an inner object', '{"content":{"usage":{"a":1}}}'],
    ['in an inner object, and before it at the top', '{"usage":{"a":1},"content":{"usage":{"a":2}}}'],
    ['before a second closing brace', '{"usage":{"a":1}}}'],
    ['before other text', '{"usage":{"a":1}} {"usage":{"a":2}}'],
    ['before a trailing comma', '{"usage":{"a":1},}'],
    ['in an object that is cut off', '{"usage":{"a":1}'],
    ['after a byte order mark', '\ufeff{"usage":{"a":1}}'],
    ['in UTF-16', Buffer.from('{"usage":{"a":1}}', 'utf16le')],
    ['next to invalid UTF-8', Buffer.from('{"usage":{"a":"\xff\xc3"},"content":"\xc3"}', 'latin1')],
    ['next to a name in invalid UTF-8', Buffer.from('{"usage\xc3":1,"model":"m"}', 'latin1')],
    ['next to a control character in a string', '{"usage":{"a":1},"content":"a\u0001"}'],
    ['next to an invalid escape', '{"usage":{"a":1},"content":"\\x41"}'],
    ['next to an invalid number', '{"usage":{"a":1},"content":[01]}'],
    ['in a list', '[{"usage":{"a":1}}]'],
    ['after white space that JSON does not allow', '\u00a0{"usage":{"a":1}}'],
    ['in a member __proto__', '{"__proto__":{"usage":{"a":1}}}'],
    ['with an inner member __proto__', '{"usage":{"__proto__":{"a":1},"b":2}}'],
    ['with duplicate inner names', '{"usage":{"a":1,"b":2,"\\u0061":{"c":3},"b":[1,{"b":4}]}}'],
    ['next to names of the same length', '{"usage":{"ab":1,"cb":2,"aab":3,"bab":4},"model":"ab","models":"abc"}'],
    ['with long numbers', '{"usage":{"a":999999999999999,"b":1234567890123456789,"c":1.5,"d":-1,"e":0,"f":1e3}}'],
    ['with texts of other characters', '{"usage":{"ä":"ö","a\u007f":"\u007f","":"","b":"\\n"}}'],
    ['in an empty body', ''],
  ])('equal those of the whole object if they occur %s', (_what, text) => {
    const bytes = Buffer.from(text as string);
    expect(pick(bytes)).toEqual(whole(bytes));
  });

  it('are subject to the limits of depth and of the number of values', () => {
    const deep = (levels: number): Buffer =>
      Buffer.from(`{"usage":1,"content":${'['.repeat(levels - 1)}"${'a'.repeat(2000)}"${']'.repeat(levels - 1)}}`);
    expect(pick(deep(1000))).toEqual({ usage: 1 });
    expect([pick(deep(1001)), whole(deep(1001))]).toEqual([undefined, undefined]);
    const many = (values: number): Buffer => Buffer.from(`{"usage":1,"content":["${'","'.repeat(values - 1)}"]}`);
    // Including the object, the list and two names.
    expect(pick(many(2_000_000 - 4))).toEqual({ usage: 1 });
    expect([pick(many(2_000_000 - 3)), whole(many(2_000_000 - 3))]).toEqual([undefined, undefined]);
  });
});

/** Returns the names in a selection, at any depth. */
const namesIn = (all: MemberSelection): readonly string[] =>
  Object.entries(all).flatMap(([each, inner]) => [
    each,
    ...(inner === true ? [] : Array.isArray(inner) ? namesIn(inner[0]) : namesIn(inner as MemberSelection)),
  ]);
const read = [...new Set(builtinDialects.flatMap(({ metered = {} }) => namesIn(metered)))];
const counts = ['prompt_tokens', 'completion_tokens', 'input_tokens', 'output_tokens', 'total_tokens', 'inputTokens'];
const more = [
  'outputTokens',
  'promptTokenCount',
  'candidatesTokenCount',
  'tokens',
  'billed_units',
  'reason',
  'content',
];
const wireName = fc.constantFrom(...read, ...read, ...counts, ...more);
const word = fc.constantFrom(
  'completed',
  'incomplete',
  'web_search_call',
  'file_search_call',
  'mcp_call',
  'search',
  'stop',
);
const { wire } = fc.letrec<{ value: Json; wire: JsonObject }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.nat(),
    word,
    fc.constant(null),
    tie('wire'),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
  wire: fc.dictionary(wireName, tie('value'), { maxKeys: 8 }),
}));

const reading = builtinDialects.filter(
  ({ usage, finishReasons, answeredBy }) =>
    usage !== undefined || finishReasons !== undefined || answeredBy !== undefined,
);

describe.each(reading.map((dialect) => [dialect.id, dialect] as const))('the dialect %s', (_id, dialect) => {
  it('selects everything that it meters of an answer', () => {
    const metered = dialect.metered ?? expect.unreachable();
    const law = fc.property(wire, (answer) => {
      const some = pickMembers(Buffer.from(JSON.stringify(answer)), metered) ?? expect.unreachable();
      expect(dialect.usage?.(some)).toEqual(dialect.usage?.(answer));
      expect(dialect.finishReasons?.(some)).toEqual(dialect.finishReasons?.(answer));
      expect(dialect.answeredBy?.(some)).toEqual(dialect.answeredBy?.(answer));
    });
    fc.assert(law, lawRuns);
  });
});
