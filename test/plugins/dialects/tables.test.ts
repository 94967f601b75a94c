import { describe, expect, it } from 'vitest';
import { cohere } from '../../../plugins/dialects/cohere/cohere.ts';
import { converse } from '../../../plugins/dialects/converse/converse.ts';
import { gemini } from '../../../plugins/dialects/gemini/gemini.ts';
import { messages } from '../../../plugins/dialects/messages/messages.ts';
import type { Dialect, Frame, TextSpan } from '../../../plugins/sdk/dialect.ts';
import type { DialectMembers } from '../../../plugins/sdk/members.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../schema/json.ts';
import { type TablePlace, tablePlaces, withMembers } from './table-places.ts';

const words = 'of plutonium';

interface Bodies {
  /** A request and an answer that say something else. */
  readonly request: JsonObject;
  readonly answer: JsonObject;
}

const dialects: readonly (readonly [Dialect, Bodies])[] = [
  [messages, { request: { messages: [{ role: 'user', content: 'Hi' }] }, answer: { content: [] } }],
  [
    gemini,
    {
      request: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
      answer: { candidates: [{ content: { parts: [{ text: 'Hi' }] } }] },
    },
  ],
  [
    converse,
    {
      request: { messages: [{ role: 'user', content: [{ text: 'Hi' }] }] },
      answer: { output: { message: { content: [] } } },
    },
  ],
  [cohere, { request: { messages: [{ role: 'user', content: 'Hi' }] }, answer: { message: { content: [] } } }],
];

const tablesOf = ({ id, members }: Dialect): DialectMembers => {
  if (members === undefined) throw new Error(`${id} has no tables.`);
  return members;
};

const isSaid = (spans: readonly TextSpan[] | undefined): boolean =>
  spans?.some(({ text }) => text.includes(words)) === true;

/** What a caller or a provider could write at a place. */
const writtenAt = ({ rule }: TablePlace): Json => {
  if (rule === 'unlisted') return { deep: [{ words }] };
  if (rule.is === 'custom') return rule.example(words);
  return rule.is === 'json' ? JSON.stringify({ words }) : words;
};

/** Whether checks judge what is at a place of a request or an answer. */
const isJudged = ({ rule }: TablePlace): boolean =>
  rule === 'unlisted' || !['instructions', 'echo', 'before', 'media'].includes(rule.is);

describe.each(dialects.map(([dialect, bodies]) => [dialect.id, dialect, bodies] as const))(
  'the tables of %s',
  (_id, dialect, bodies) => {
    const { request, answer, frame } = tablesOf(dialect);

    it.each([
      ['input', request, bodies.request],
      ['output', answer, bodies.answer],
    ] as const)('say what is judged: %s', (phase, table, more) => {
      const places = tablePlaces(table);
      expect(places.length).toBeGreaterThan(60);
      const wrong = places.filter((place) => {
        const spans = dialect.texts?.(withMembers(place.body(writtenAt(place)), more), phase);
        return isSaid(spans) !== isJudged(place);
      });
      expect(wrong.map(({ path }) => path)).toEqual([]);
    });

    it('find a text in the place of each object, and an object in the place of each text', () => {
      const shapes: readonly Json[] = [words, [words], { any: words }, [[{ any: words }]]];
      const wrong = [request, answer].flatMap((table, index) =>
        tablePlaces(table)
          .filter(isJudged)
          .flatMap(({ path, rule, body }) => {
            const given = rule !== 'unlisted' && rule.is === 'custom' ? [words] : shapes;
            return given.flatMap((shape) => {
              const whole = withMembers(body(shape), index === 0 ? bodies.request : bodies.answer);
              return isSaid(dialect.texts?.(whole, index === 0 ? 'input' : 'output')) ? [] : [[path, shape]];
            });
          }),
      );
      expect(wrong).toEqual([]);
    });

    it('say which words of a frame no event tells', () => {
      const frameOf = (body: Json): Frame => {
        const [[event = '', data = null] = []] = isJsonObject(body) ? Object.entries(body) : [];
        return dialect.framing === 'aws-eventstream'
          ? { event, data: JSON.stringify(data) }
          : { data: JSON.stringify(body) };
      };
      const isFound = (place: TablePlace): boolean => {
        const { rule, isUntold } = place;
        return rule === 'unlisted' || rule.is === 'structural' || (isUntold && isJudged(place));
      };
      const places = frame === undefined ? [] : tablePlaces(frame);
      expect(places.length).toBeGreaterThan(60);
      const wrong = places.filter(
        (place) => isSaid(dialect.frameTexts?.(frameOf(place.body(writtenAt(place))))?.untold) !== isFound(place),
      );
      expect(wrong.map(({ path }) => path)).toEqual([]);
    });
  },
);
