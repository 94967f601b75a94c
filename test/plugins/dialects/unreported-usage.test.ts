import { describe, expect, it } from 'vitest';
import { builtinDialects } from '../../../plugins/dialects/builtin-dialects.ts';
import type { AnswerCodec } from '../../../plugins/sdk/dialect/dialect.ts';
import { findAnswerCodec } from '../../../plugins/sdk/dialect/find-answer-codec.ts';
import { textAnswer, wordEvents } from '../../../plugins/testkit/samples/sample-answers.ts';
import type { AnswerEvent } from '../../../schema/conversation/answer.ts';
import type { Usage } from '../../../schema/conversation/conversation.ts';
import { answerOptions } from './support/codecs.ts';

const writing = builtinDialects.flatMap(
  (dialect): readonly { id: string; dialect: typeof dialect; codec: AnswerCodec }[] => {
    const codec = findAnswerCodec(dialect);
    return codec === undefined ? [] : [{ id: dialect.id, dialect, codec }];
  },
);

const whole = (codec: AnswerCodec, usage: Usage | undefined): string => {
  const { usage: _, ...answer } = textAnswer('Hi.');
  return JSON.stringify(codec.encodeAnswer(usage === undefined ? answer : { ...answer, usage }, answerOptions));
};

const streamed = (codec: AnswerCodec, usage: Usage | undefined): string => {
  const encoder = codec.streamEncoder(answerOptions);
  const events = wordEvents(['Hi', '.']).flatMap((event): readonly AnswerEvent[] => {
    if (event.kind !== 'usage') return [event];
    return usage === undefined ? [] : [{ ...event, usage }];
  });
  const frames = [...events.flatMap((event) => encoder.push(event)), ...encoder.end()];
  return frames.map(({ data }) => data).join('\n');
};

const countsIn = (text: string): readonly string[] => text.match(/"\w*tokens?(?:_?count)?"\s*:\s*\d+/gi) ?? [];

describe.each(writing)('unreported usage, written in $id', ({ dialect, codec }) => {
  it.each([
    ['a whole answer', whole],
    ['a stream', streamed],
  ])('is omitted from %s', (_, write) => {
    expect(countsIn(write(codec, undefined))).toEqual([]);
  });

  it.runIf(dialect.usageRequired === undefined).each([
    ['a whole answer', whole],
    ['a stream', streamed],
  ])('is omitted from %s that reports the other count', (_, write) => {
    const zeros = (usage: Usage): readonly string[] =>
      countsIn(write(codec, usage)).filter((count) => count.endsWith('0'));
    expect(zeros({ input: 7, output: 0, missing: ['output'] })).toEqual([]);
    expect(zeros({ input: 0, output: 7, missing: ['input'] })).toEqual([]);
  });
});
