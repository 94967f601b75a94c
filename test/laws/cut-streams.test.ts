import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chat } from '../../plugins/dialects/chat/chat.ts';
import { cohere } from '../../plugins/dialects/cohere/cohere.ts';
import { converse } from '../../plugins/dialects/converse/converse.ts';
import { gemini } from '../../plugins/dialects/gemini/gemini.ts';
import { messages } from '../../plugins/dialects/messages/messages.ts';
import { responses } from '../../plugins/dialects/responses/responses.ts';
import type { ConversationCodec, Dialect, EncodeAnswer, Frame } from '../../plugins/sdk/dialect/dialect.ts';
import { writeFrame } from '../../plugins/sdk/framings/sse.ts';
import type { AnswerEvent } from '../../schema/conversation/answer.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import { toObjects } from '../../schema/json/loose.ts';
import { answerEvents } from '../plugins/dialects/support/answer-events.ts';
import { answers } from '../plugins/dialects/support/arbitraries.ts';
import { here } from '../plugins/dialects/support/codecs.ts';
import { toEvents } from '../plugins/dialects/support/frames.ts';
import { dearestLawRuns, dearLawRuns, slowLawMs } from '../support/run/law-runs.ts';

const options: EncodeAnswer = { provider: 'test', strict: false, streamUsage: true, created: 1 };

const toCodec = (dialect: Dialect): ConversationCodec => {
  if (dialect.conversation === undefined) throw new Error(`${dialect.id} does not converse.`);
  return dialect.conversation;
};

const codecs: Readonly<Record<string, ConversationCodec>> = {
  chat: toCodec(chat),
  messages: toCodec(messages),
  responses: toCodec(responses),
  cohere: toCodec(cohere),
  converse: toCodec(converse),
  gemini: toCodec(gemini),
};

/** The members of the dialects whose answers can have several choices. The others have only the first choice. */
const choiceMembers: Readonly<Record<string, { readonly list: string; readonly finish: string }>> = {
  chat: { list: 'choices', finish: 'finish_reason' },
  gemini: { list: 'candidates', finish: 'finishReason' },
};

/** Matches the last frame of a stream, whether it ends successfully or with an error. */
const lastFrame =
  /\[DONE\]|event: (?:message_stop|message-end|messageStop|\w+Exception|response\.(?:completed|incomplete|failed))|"finishReason":|(?:data: \{|"type":"error",)"error":\{/;

/** Matches the last frame of a stream that ends successfully. */
const success =
  /\[DONE\]|event: (?:message_stop|messageStop|response\.(?:completed|incomplete))|"finish(?:_r|R)eason":"(?!ERROR)[A-Z_]+"/;

/** Returns the frames of a stream in which each candidate finishes in its own frame, as Gemini may send them. */
const oneCandidateEach = (frame: Frame): readonly Frame[] => {
  if (!frame.data.includes('"finishReason"')) return [frame];
  const wire = JSON.parse(frame.data) as JsonObject;
  return toObjects(wire.candidates).map((candidate) => ({
    ...frame,
    data: JSON.stringify({ ...wire, candidates: [candidate] }),
  }));
};

const streams: fc.Arbitrary<readonly AnswerEvent[]> = fc
  .tuple(answers, fc.boolean())
  .map(([answer, interleaved]) => answerEvents(answer, { interleaved }));

/** Whether every choice that began has finished, and at least one has. */
const allFinished = (finished: ReadonlyMap<unknown, boolean>): boolean =>
  finished.size > 0 && [...finished.values()].every(Boolean);

/** Whether a client of the provider can take the frames for a whole stream, by what the vendor documents. */
const looksWhole = (id: string, frames: readonly Frame[]): boolean => {
  const members = choiceMembers[id];
  if (members === undefined) return frames.some((frame) => success.test(writeFrame(frame)));
  const finished = new Map<unknown, boolean>();
  for (const { data } of frames)
    for (const choice of toObjects((JSON.parse(data) as JsonObject)[members.list]))
      finished.set(choice.index, finished.get(choice.index) === true || typeof choice[members.finish] === 'string');
  return allFinished(finished);
};

/** Whether every choice that the events begin, and that the dialect has, has finished. */
const isFinished = (id: string, events: readonly AnswerEvent[]): boolean => {
  const finished = new Map<unknown, boolean>();
  for (const event of events)
    if ('choice' in event && (id in choiceMembers || event.choice === 0))
      finished.set(event.choice, finished.get(event.choice) === true || event.kind === 'finish');
  return allFinished(finished);
};

const expectOneEnd = (frames: readonly Frame[], isSuccessful: boolean): void => {
  const last = frames.map(writeFrame).filter((text) => lastFrame.test(text));
  expect(last).toHaveLength(1);
  expect(success.test(last[0] ?? '')).toBe(isSuccessful);
};

describe.each(Object.entries(codecs))('a cut stream for clients of %s', { timeout: slowLawMs }, (id, codec) => {
  it.each(Object.entries(codecs))(
    'from %s ends once, and successfully only if all choices that began have finished',
    (provider, { streamEncoder, streamDecoder }) => {
      fc.assert(
        fc.property(streams, fc.nat(), (events, cut) => {
          const encoder = streamEncoder(options);
          const frames = events.flatMap((event) => encoder.push(event)).flatMap(oneCandidateEach);
          const part = frames.slice(0, cut % frames.length);
          const writer = codec.streamEncoder(options);
          const read = toEvents(streamDecoder(here), part);
          const out = [...read.flatMap((event) => writer.push(event)), ...writer.end()];
          expectOneEnd(out, looksWhole(provider, part));
        }),
        dearestLawRuns,
      );
    },
  );

  it('ends once if nothing reports the cut, and successfully only if all choices that began have finished', () => {
    fc.assert(
      fc.property(streams, fc.nat(), (events, cut) => {
        const part = events.slice(0, cut % events.length);
        const writer = codec.streamEncoder(options);
        const out = [...part.flatMap((event) => writer.push(event)), ...writer.end()];
        expectOneEnd(out, isFinished(id, part));
      }),
      dearLawRuns,
    );
  });
});
