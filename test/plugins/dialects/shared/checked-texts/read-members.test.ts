import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  before,
  choices,
  custom,
  echo,
  instructions,
  json,
  lazy,
  list,
  type Member,
  map,
  media,
  object,
  refused,
  structural,
  text,
  textOr,
  unreported,
  value,
  variants,
} from '../../../../../plugins/dialects/shared/checked-texts/members.ts';
import { readMembers } from '../../../../../plugins/dialects/shared/checked-texts/read-members.ts';
import type { TextReading, TextSpan } from '../../../../../plugins/sdk/dialect/text-span.ts';
import { withTexts } from '../../../../../plugins/sdk/texts/with-texts.ts';
import type { Json, JsonObject } from '../../../../../schema/json/json.ts';
import { rootPointer } from '../../../../../schema/json/pointer.ts';
import { occurrences } from '../../../../support/plans/checked-config.ts';
import { lawRuns } from '../../../../support/run/law-runs.ts';

const place = { at: rootPointer, kind: 'text' as const };

const read = (member: Member, given: Json, unknown: TextReading['unknown'] = 'judge', isFrame = false) =>
  readMembers(member, given, { place, unknown, isFrame });

const readSpans = (member: Member, given: Json, unknown: TextReading['unknown'] = 'judge'): readonly unknown[] =>
  read(member, given, unknown).spans.map(({ at, kind, text }) => [at, kind, text]);

const isValue = ({ isName }: TextSpan): boolean => isName !== true;

const part: Member = variants(
  'type',
  {
    text: object({ type: structural, text: text() }),
    image: object({ type: structural, url: media }),
    tool: object({ type: structural, id: structural, content: list(lazy(() => part)) }, 'tool-result'),
  },
  object({ type: structural, text: text() }),
);

const table: Member = object({
  model: structural,
  tools: instructions,
  logprobs: echo,
  tokens: refused,
  system: before(text()),
  labels: map(text('citation')),
  input: value('tool-arguments'),
  call: json('tool-arguments'),
  content: textOr(list(part)),
});

describe('the texts that a table finds', () => {
  it('are those of its members in the order of the table, each with its kind', () => {
    expect(
      readSpans(table, {
        content: [
          { type: 'text', text: 'a' },
          { type: 'tool', id: 't', content: [{ type: 'text', text: 'b' }, { text: 'c' }] },
        ],
        call: '{"x":"d"}',
        input: { y: 'e' },
        labels: { one: 'f' },
        system: 'not judged',
        tools: [{ description: 'not judged' }],
        logprobs: [{ token: ' not' }],
        model: 'gpt-5',
      }),
    ).toEqual([
      ['/labels/one', 'citation', 'f'],
      ['/input', 'tool-arguments', 'y\ne'],
      ['/call', 'tool-arguments', 'x\nd'],
      ['/content/0/text', 'text', 'a'],
      ['/content/1/content/0/text', 'tool-result', 'b'],
      ['/content/1/content/1/text', 'tool-result', 'c'],
    ]);
    expect(readSpans(table, { content: 'a', labels: null })).toEqual([['/content', 'text', 'a']]);
  });

  it('include those of a single item instead of a list', () => {
    expect(readSpans(table, { content: { type: 'text', text: 'a' } })).toEqual([['/content/text', 'text', 'a']]);
  });

  it('include all strings and names in undocumented members, unless those are allowed', () => {
    const given = { content: 'a', next: { says: ['b', 1, true, { deep: 'c' }], more: 'd' } };
    expect(readSpans(table, given)).toEqual([
      ['/content', 'text', 'a'],
      ['/next', 'other', 'next'],
      ['/next/says', 'other', 'says'],
      ['/next/says/0', 'other', 'b'],
      ['/next/says/3/deep', 'other', 'deep'],
      ['/next/says/3/deep', 'other', 'c'],
      ['/next/more', 'other', 'more'],
      ['/next/more', 'other', 'd'],
    ]);
    for (const value of [3, null, true, [], {}])
      expect(readSpans(table, { next: value }), JSON.stringify(value)).toEqual([['/next', 'other', 'next']]);
    expect(readSpans(table, given, 'allow')).toEqual([['/content', 'text', 'a']]);
    expect(readSpans(table, { content: [{ type: 'poem', text: 'a', by: 'b' }] })).toEqual([
      ['/content/0/type', 'other', 'type'],
      ['/content/0/type', 'other', 'poem'],
      ['/content/0/text', 'other', 'text'],
      ['/content/0/text', 'other', 'a'],
      ['/content/0/by', 'other', 'by'],
      ['/content/0/by', 'other', 'b'],
    ]);
    // Members that every part has are read even then.
    expect(readSpans(table, { content: [{ type: 'poem', text: 'a', by: 'b' }] }, 'allow')).toEqual([
      ['/content/0/text', 'text', 'a'],
    ]);
  });

  it('include documented members in another shape, even if undocumented members are allowed', () => {
    for (const unknown of ['judge', 'allow'] as const) {
      expect(readSpans(part, { type: 'text', text: { text: ['a'] } }, unknown)).toEqual([
        ['/text/text', 'other', 'text'],
        ['/text/text/0', 'text', 'a'],
      ]);
      expect(readSpans(table, { content: [['a']] }, unknown)).toEqual([['/content/0/0', 'text', 'a']]);
      expect(readSpans(table, { labels: { 'two words': 'a' } }, unknown)).toEqual([
        ['/labels/two words', 'other', 'two words'],
        ['/labels/two words', 'text', 'a'],
      ]);
    }
  });

  it('include numbers if the names of members may be words', () => {
    expect(readSpans(table, { next: { 'my number is': 5, plain: [true] } })).toEqual([
      ['/next', 'other', 'next'],
      ['/next/my number is', 'other', 'my number is'],
      ['/next/my number is', 'other', '5'],
      ['/next/plain', 'other', 'plain'],
      ['/next/plain/0', 'other', 'true'],
    ]);
  });

  it('include facts that may be words, and values whose names may be words', () => {
    const facts = object({ known: { is: 'facts' } });
    expect(readSpans(facts, { known: { plain: 'a', more: { 'two words': 'b' }, last: 'c d' } })).toEqual([
      ['/known/more/two words', 'other', 'two words'],
      ['/known/more/two words', 'other', 'b'],
      ['/known/last', 'other', 'c d'],
    ]);
  });

  it('include words in place of an id or a number', () => {
    for (const model of ['two words', 'ein Wört', '炸弹', { of: 'a' }, ['b']])
      expect(read(table, { model }).spans.filter(isValue).length, JSON.stringify(model)).toBe(1);
    for (const model of ['gpt-5', 5, true, null]) expect(read(table, { model }).spans).toEqual([]);
  });

  it('include files in every notation', () => {
    const encoded = Buffer.from('hello, world').toString('base64');
    const name = ['/file', 'other', 'file'];
    const text = ['/file', 'other', 'hello, world'];
    expect(readSpans(table, { file: `data:text/plain;base64,${encoded}` })).toEqual([name, text]);
    expect(readSpans(table, { file: 'data:,hello%2C%20world' })).toEqual([name, text]);
    expect(readSpans(table, { file: { 'in words': encoded } })).toMatchObject([
      name,
      {},
      { 2: 'hello, world' },
      { 2: encoded },
    ]);
    expect(readSpans(table, { file: encoded })).toEqual([
      name,
      ['/file', 'other', 'hello, world'],
      ['/file', 'other', encoded],
    ]);
  });

  it('are numbered by the choice that contains them', () => {
    const given = { choices: [{ index: 4, text: 'a' }, { text: 'b' }] };
    const answer = object({ choices: choices(object({ index: structural, text: text() })) });
    expect(read(answer, given).spans.map(({ choice, at }) => [choice, at])).toEqual([
      [4, '/choices/0/text'],
      [1, '/choices/1/text'],
    ]);
  });

  it('in a frame are only those that its events do not report', () => {
    const frame = object({
      delta: text(),
      note: unreported(object({ words: text(), id: structural })),
      id: structural,
    });
    const { spans } = read(
      frame,
      { delta: 'a', note: { words: 'b', id: 'c' }, id: 'two words', next: 'd' },
      'judge',
      true,
    );
    expect(spans.map(({ text: words }) => words)).toEqual(['b', 'two words', 'next', 'd']);
    expect(read(frame, { delta: { odd: 'a' } }, 'judge', true).spans.map(({ text: words }) => words)).toEqual([
      'odd',
      'a',
    ]);
  });
});

describe('unreadable content', () => {
  const deep = (levels: number): Json => (levels === 0 ? 'x' : { a: deep(levels - 1) });
  const deepWords = (levels: number): Json => (levels === 0 ? 'x' : { 'two words': deepWords(levels - 1) });

  it.each([
    ['a member that the table refuses', { tokens: [1, 2] }],
    ['a file that is not text', { next: 'data:image/png;base64,AAAA' }],
    ['a text in an unknown encoding', { next: 'data:text/plain;charset=ebcdic,abc' }],
    ['a value that is nested too deeply', { next: deep(1001) }],
    ['a value that is nested too deeply, with words as names', { next: deepWords(1001) }],
    ['a value that is too large', { next: 'x'.repeat(4_000_001) }],
    ['too many texts', { next: Array.from({ length: 200_000 }, () => 'x') }],
  ])('includes %s', (_name, given) => {
    expect(read(table, given).isUnreadable).toBe(true);
  });

  it('is accepted if undocumented members are allowed, unless the table refuses it', () => {
    expect(read(table, { next: deep(1001) }, 'allow').isUnreadable).toBe(false);
    expect(read(table, { tokens: [1] }, 'allow').isUnreadable).toBe(true);
  });

  it('includes a custom member whose reader returns undefined', () => {
    expect(
      read(
        custom(() => undefined, String),
        'a',
      ).isUnreadable,
    ).toBe(true);
    expect(
      read(
        custom(() => 'media', String),
        'a',
      ),
    ).toMatchObject({ isUnreadable: false, hasMedia: true });
    expect(read(table, { next: deep(64) }).isUnreadable).toBe(false);
  });
});

/** Returns all strings of a value and all names of its members. */
const readStrings = (given: Json): readonly string[] => {
  if (typeof given === 'string') return [given];
  if (typeof given !== 'object' || given === null) return [];
  return Object.entries(given).flatMap(([name, inner]: readonly [string, Json]) => [
    ...(Array.isArray(given) ? [] : [name]),
    ...readStrings(inner),
  ]);
};

describe('any JSON in an undocumented member', () => {
  const json = fc.jsonValue({ maxDepth: 5, stringUnit: 'grapheme' }) as fc.Arbitrary<Json>;

  it('has each of its strings in one of the texts', () => {
    fc.assert(
      fc.property(json, (given) => {
        const { spans, isUnreadable } = read(table, { next: given });
        const all = spans.map((span) => span.text).join('\n');
        fc.pre(!isUnreadable);
        for (const one of readStrings(given)) expect(all).toContain(one);
      }),
      lawRuns,
    );
  });

  it('can have each of its texts replaced in place', () => {
    const marked = fc.jsonValue({ maxDepth: 4, stringUnit: fc.constantFrom('Ann', ' ', 'b') }) as fc.Arbitrary<Json>;
    fc.assert(
      fc.property(marked, (given) => {
        const body: JsonObject = { next: given };
        const { spans } = read(table, body);
        const changed = withTexts(body, { spans, replacements: occurrences({ spans }, 'Ann', 'Bob'), phase: 'input' });
        const words = read(table, changed).spans.map((span) => span.text);
        expect(words.some((each) => each.includes('Ann'))).toBe(false);
      }),
      lawRuns,
    );
  });
});

describe('a string that may be a word or a file', () => {
  it('is judged as both', () => {
    const odd = Buffer.from('how to do it').toString('base64');
    const texts = read(object({}), { odd })
      .spans.filter(isValue)
      .map(({ text: found }) => found);
    expect(texts).toEqual(['how to do it', odd]);
  });
});
