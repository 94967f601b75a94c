import { describe, expect, it } from 'vitest';
import { builtinDialects } from '../../../plugins/dialects/builtin-dialects.ts';
import { mergeJson } from '../../../plugins/dialects/shared/json/merge-json.ts';
import type { Dialect, Frame } from '../../../plugins/sdk/dialect/dialect.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { sampleBodies } from '../../support/members/sample-bodies.ts';
import { type TablePlace, tablePlaces } from './support/table-places.ts';

const words = 'of plutonium';

const tabled = builtinDialects.flatMap(({ id, members, ...rest }) =>
  members === undefined ? [] : [{ id, dialect: { ...rest, id, members }, members }],
);

type Found = 'judged' | 'unjudged' | 'denied';

/** Returns how checks treat a body that contains words. A body that cannot be read is denied. */
const foundIn = (dialect: Dialect, body: JsonObject, phase: 'input' | 'output'): Found => {
  const spans = dialect.texts?.(body, phase);
  if (spans === undefined) return 'denied';
  return spans.some(({ text }) => text.includes(words)) ? 'judged' : 'unjudged';
};

/** Returns what a caller or a provider could write at a place. */
const writtenAt = ({ rule }: TablePlace): Json => {
  if (rule === 'unlisted') return { deep: [{ words }] };
  if (rule.is === 'custom') return rule.example(words);
  return rule.is === 'json' ? JSON.stringify({ words }) : words;
};

/** Returns how checks should treat words at a place. Media without any text are denied; media next to text are not. */
const meantAt = ({ rule }: TablePlace): readonly Found[] => {
  if (rule === 'unlisted') return ['judged'];
  if (rule.is === 'media') return ['denied', 'unjudged'];
  if (rule.is === 'refused') return ['denied'];
  return ['instructions', 'echo', 'before'].includes(rule.is) ? ['unjudged'] : ['judged'];
};

const isJudged = (place: TablePlace): boolean => meantAt(place).includes('judged');

const shapes: readonly Json[] = [words, [words], { any: words }, [[{ any: words }]]];

describe.each(tabled)('the tables of $id', ({ id, dialect, members: { request, answer, frame } }) => {
  const sample = sampleBodies[id] ?? { request: {}, answer: {} };
  const bodies = [
    { phase: 'input', table: request, more: sample.request },
    { phase: 'output', table: answer, more: sample.answer },
  ] as const;

  it.each(bodies)('determine what is judged: $phase', ({ phase, table, more }) => {
    const places = tablePlaces(table);
    expect(places.length).toBeGreaterThan(phase === 'input' ? 10 : 0);
    const wrong = places.flatMap((place) => {
      const body = place.body(writtenAt(place));
      const found = isJsonObject(body) ? foundIn(dialect, mergeJson(more, body), phase) : 'denied';
      return meantAt(place).includes(found) ? [] : [[place.path, found]];
    });
    expect(wrong).toEqual([]);
  });

  it.each(bodies)('find words in any other shape too: $phase', ({ phase, table, more }) => {
    // A URL without data refers to a file and contains no text.
    const wrong = tablePlaces(table)
      .filter((place) => isJudged(place) && !place.path.endsWith('.file_url'))
      .flatMap(({ path, rule, body }) => {
        const given = rule !== 'unlisted' && rule.is === 'custom' ? [words] : shapes;
        return given.flatMap((shape) => {
          const whole = body(shape);
          const found = isJsonObject(whole) ? foundIn(dialect, mergeJson(more, whole), phase) : 'denied';
          return found === 'judged' ? [] : [[path, shape, found]];
        });
      });
    expect(wrong).toEqual([]);
  });

  const readFrame = (body: Json): Frame => {
    if (dialect.framing !== 'aws-eventstream' || !isJsonObject(body)) return { data: JSON.stringify(body) };
    const [[event = '', data = null] = []] = Object.entries(body);
    return { event, data: JSON.stringify(data) };
  };
  const isFound = (body: Json): boolean => {
    const read = dialect.frameTexts?.(readFrame(body));
    return read === undefined || read.unreported.some(({ text }) => text.includes(words));
  };

  it.runIf(frame !== undefined)('determine which words of a frame no event reports', () => {
    const places = frame === undefined ? [] : tablePlaces(frame);
    expect(places.length).toBeGreaterThan(20);
    const wrong = places.filter((place) => {
      const { rule, isUnreported } = place;
      const isUnread = rule === 'unlisted' || ['structural', 'facts', 'refused'].includes(rule.is);
      return isFound(place.body(writtenAt(place))) !== (isUnread || (isUnreported && isJudged(place)));
    });
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it.runIf(frame !== undefined)('find words in a frame whose text has another shape', () => {
    const places = frame === undefined ? [] : tablePlaces(frame);
    const texts = places.filter(({ rule }) => rule !== 'unlisted' && ['text', 'structural', 'facts'].includes(rule.is));
    const wrong = texts.filter(({ body }) => !isFound(body({ any: words })));
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });
});
