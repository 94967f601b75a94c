import { describe, expect, it } from 'vitest';
import type { Dialect, Frame } from '../../../../plugins/sdk/dialect/dialect.ts';
import { findAnswerCodec } from '../../../../plugins/sdk/dialect/find-answer-codec.ts';
import { here } from '../../../plugins/dialects/support/codecs.ts';
import { dialects, word } from './judge.ts';
import { silent, streams } from './stream-samples.ts';

type Id = keyof typeof dialects;

/** Returns everything that the events of a stream's decoder report. */
const decodeToText = (dialect: Dialect, frames: readonly Frame[]): string => {
  const decoder = findAnswerCodec(dialect)?.streamDecoder(here);
  return JSON.stringify([...frames.flatMap((frame) => decoder?.push(frame) ?? []), ...(decoder?.end() ?? [])]);
};

const findUnreported = (dialect: Dialect, frames: readonly Frame[]): readonly string[] =>
  frames.flatMap((frame) => dialect.frameTexts?.(frame)?.unreported ?? []).map(({ text }) => text);

describe.each(Object.entries(streams))('a stream of %s that contains a word', (id, cases) => {
  it.each(Object.entries(cases))('has it in its events or its unreported texts if it is %s', (_where, frames) => {
    const dialect = dialects[id as Id];
    expect([decodeToText(dialect, frames), ...findUnreported(dialect, frames)].join('\n')).toContain(word);
  });
});

describe('a stream without the word', () => {
  it.each(silent)('of %s has no unreported texts', (id, frames) => {
    expect(findUnreported(dialects[id], frames)).toEqual([]);
  });
});
