import { describe, expect, it } from 'vitest';
import type { Dialect, Frame } from '../../../../plugins/sdk/dialect/dialect.ts';
import type { Member } from '../../../../plugins/sdk/dialect/members.ts';
import { isJsonObject, type Json } from '../../../../schema/json/json.ts';
import { type TablePlace, tablePlaces } from '../../../plugins/dialects/support/table-places.ts';
import { isSampled } from '../../../support/run/sampled-pairs.ts';
import { harmless, modes, run, streaming, word } from './judged-modes.ts';
import { toFrames } from './kit.ts';

const unjudged: ReadonlySet<Member['is']> = new Set([
  ...(['structural', 'facts', 'media', 'refused', 'instructions', 'echo', 'before'] as const),
]);

/** Whether no member occurs twice in a path, as it does if a value contains another of its kind. */
const isFlat = (path: string): boolean => {
  const steps = path.split(/(?=[.(])/).filter((step) => step.startsWith('.'));
  return new Set(steps).size === steps.length;
};

/** Returns the places of a frame in which a client reads words. */
const wordedPlaces = ({ members }: Dialect): readonly TablePlace[] =>
  tablePlaces(members?.frame ?? members?.answer ?? { is: 'echo' }).filter(
    ({ path, rule }) => rule !== 'unlisted' && !unjudged.has(rule.is) && isFlat(path),
  );

const writtenAt = ({ rule }: TablePlace, words: string): Json => {
  if (rule !== 'unlisted' && rule.is === 'custom') return rule.example(words);
  return rule !== 'unlisted' && rule.is === 'json' ? JSON.stringify({ words }) : words;
};

/** Builds a frame that stands alone in its stream, with these numbers of what it belongs to. */
const loneFrame = (dialect: Dialect, body: Json, numbers: object): Frame => {
  if (!isJsonObject(body)) return { data: JSON.stringify(body) };
  if (dialect.framing !== 'aws-eventstream') {
    const named = typeof body.type === 'string' ? { event: body.type } : {};
    return { ...named, data: JSON.stringify({ ...numbers, ...body }) };
  }
  const [[event = '', data = null] = []] = Object.entries(body);
  return { event, data: JSON.stringify(isJsonObject(data) ? { ...numbers, ...data } : data) };
};

/** No numbers, those of what the stream contains, and those of what it does not contain. */
const numbers: readonly object[] = [
  {},
  { index: 0, output_index: 0, content_index: 0, item_id: 'item', contentBlockIndex: 0 },
  { index: 7, output_index: 7, content_index: 7, item_id: 'other', contentBlockIndex: 7 },
];

describe.each(streaming)('a frame of $id that stands alone', ({ dialect }) => {
  const frames = toFrames(dialect, harmless);
  const places = wordedPlaces(dialect);

  it.each(modes)('is denied for its words, whatever it is, judged $mode', async ({ guardrail }) => {
    const passed: string[] = [];
    for (const [number, place] of places.entries())
      for (const [which, own] of numbers.entries())
        for (const at of [0, 2, frames.length - 1]) {
          if (!isSampled(number, which + at, 10)) continue;
          const frame = loneFrame(dialect, place.body(writtenAt(place, `the ${word} it is`)), own);
          const { bytes } = await run(dialect, frames.toSpliced(at, 0, frame), guardrail);
          if (bytes.toString().includes(word)) passed.push(`${place.path} ${JSON.stringify(own)} at ${at}`);
        }
    expect(passed).toEqual([]);
  });
});
