import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Dialect } from '../../../../plugins/sdk/dialect/dialect.ts';
import { findAnswerCodec } from '../../../../plugins/sdk/dialect/find-answer-codec.ts';
import { defineGuardrail, type Guardrail } from '../../../../plugins/sdk/guardrail/guardrail.ts';
import { splitByPlace } from '../../../../plugins/sdk/texts/in-places.ts';
import type { Answer } from '../../../../schema/conversation/answer.ts';
import { foldAnswer } from '../../../../schema/conversation/fold-answer.ts';
import { answerEvents } from '../../../plugins/dialects/support/answer-events.ts';
import { answers } from '../../../plugins/dialects/support/arbitraries.ts';
import { answerOptions, here } from '../../../plugins/dialects/support/codecs.ts';
import { lawRuns, slowLawMs } from '../../../support/run/law-runs.ts';
import { cutAt, pairs, runStream, runWhole, toBytes, toFrames } from './kit.ts';

/** Fails the texts that contain a letter. The text that it judged last is the whole answer. */
const letters = (letter: string, overlap: number | undefined, judged: string[]): Guardrail =>
  defineGuardrail({
    id: 'test.letters',
    parameters: { type: 'object' },
    ...(overlap === undefined ? {} : { parts: () => ({ overlap }) }),
    create:
      () =>
      ({ text, spans }) => {
        // Which texts are read as one depends on their order, which differs between formats.
        judged.push(
          splitByPlace({ spans, replacements: [] })
            .spans.map((piece) => piece.text)
            .join('\n'),
        );
        return { pass: !text.includes(letter), data: {} };
      },
  });

/** Returns what the provider's stream contains, as a whole answer of its dialect. */
const readInteger = (upstream: Dialect, answer: Answer): Answer => {
  const codec = findAnswerCodec(upstream);
  if (codec === undefined) throw new Error('no codec');
  const decoder = codec.streamDecoder(here);
  const events = toFrames(upstream, answerEvents(answer)).flatMap((frame) => decoder.push(frame));
  return foldAnswer([...events, ...decoder.end()]);
};

const toLines = (text: string | undefined): readonly string[] => (text ?? '').split('\n');

describe.each(pairs)('the verdict of a stream of $name', ({ client, upstream }) => {
  it(
    'equals that of the whole answer, however it is cut, with and without windows',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          answers,
          fc.record({
            letter: fc.constantFrom('a', 'e', 'q', '7', '"'),
            size: fc.integer({ min: 1, max: 9 }),
            places: fc.array(fc.nat(), { maxLength: 6 }),
            overlap: fc.constantFrom(undefined, 0, 3),
            deny: fc.boolean(),
          }),
          async (answer, { letter, size, places, overlap, deny }) => {
            const config = { output_guardrails: [{ 'test.letters': {}, deny }] };
            const frames = toFrames(upstream, answerEvents(answer, { size }));
            const judged: string[] = [];
            const streamed = await runStream({
              client,
              upstream,
              chunks: cutAt(toBytes(upstream, frames), places),
              guardrails: [letters(letter, overlap, judged)],
              config,
            });
            const judgedWhole: string[] = [];
            const whole = await runWhole({
              client,
              upstream,
              answer:
                findAnswerCodec(upstream)?.encodeAnswer(readInteger(upstream, answer), {
                  ...answerOptions,
                  strict: false,
                }) ?? {},
              guardrails: [letters(letter, undefined, judgedWhole)],
              config,
            });
            const toVerdict = ({ trail }: typeof whole): unknown => trail.findLast(({ kind }) => kind === 'checked');
            expect(toVerdict(streamed)).toEqual(toVerdict(whole));
            if (overlap === undefined)
              expect(toLines(judged.at(-1))).toEqual(expect.arrayContaining([...toLines(judgedWhole.at(-1))]));
          },
        ),
        { ...lawRuns, numRuns: Math.ceil(lawRuns.numRuns / 150) },
      );
    },
    slowLawMs,
  );
});
