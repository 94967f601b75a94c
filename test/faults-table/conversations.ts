import { expect } from 'vitest';
import type { AnswerCodec, Dialect, EncodeAnswer } from '../../plugins/sdk/dialect/dialect.ts';
import { findAnswerCodec } from '../../plugins/sdk/dialect/find-answer-codec.ts';
import { framings } from '../../plugins/sdk/framings/framings.ts';
import { providerFraming } from '../../plugins/sdk/framings/provider-framing.ts';
import type { AnswerEvent, FinishReason } from '../../schema/conversation/answer.ts';
import type { JsonObject } from '../../schema/json/json.ts';

const toCodec = (dialect: Dialect): AnswerCodec => findAnswerCodec(dialect) ?? expect.unreachable();

const written: EncodeAnswer = { provider: 'p', strict: false, streamUsage: true, id: 'answer_1', created: 1 };

const usage = { input: 3, output: 4 };

/** A whole answer in the dialect, as a provider sends it. */
export const wholeAnswer = (dialect: Dialect, text: string, reason: FinishReason = 'stop'): JsonObject =>
  toCodec(dialect).encodeAnswer(
    {
      ...{ id: 'answer_1', model: 'm', created: 1, usage, extensions: {} },
      choices: [{ index: 0, parts: [{ kind: 'text', text }], finish: { reason } }],
    },
    written,
  );

/** A stream in the dialect. Each piece has one or more events; the first and the last piece contain none of the words. */
export const streamedAnswer = (
  dialect: Dialect,
  words: readonly string[],
  reason: FinishReason = 'stop',
): readonly Buffer[] => {
  const encoder = toCodec(dialect).streamEncoder(written);
  const writer = providerFraming(dialect).createWriter();
  const at = { choice: 0, block: 0 };
  const groups: readonly (readonly AnswerEvent[])[] = [
    [{ kind: 'start', id: 'answer_1', model: 'm', created: 1 }],
    ...words.map((text): readonly AnswerEvent[] => [{ kind: 'text', ...at, text }]),
    [
      { kind: 'block-end', ...at },
      { kind: 'finish', choice: 0, finish: { reason } },
      { kind: 'usage', usage },
      { kind: 'end' },
    ],
  ];
  const pieces = groups.map((events) => events.flatMap((event) => encoder.push(event)));
  return [...pieces, encoder.end()].map((frames) => (frames.length === 0 ? Buffer.alloc(0) : writer.write(frames)));
};

/** An answer as a client of the dialect understands it. */
export interface UnderstoodAnswer {
  readonly text: string;
  readonly reason?: FinishReason;
  /** The message of the error that is the whole answer, or that ends its stream. */
  readonly error?: string;
}

const understand = (events: readonly AnswerEvent[]): UnderstoodAnswer => {
  const text = events.flatMap((event) => (event.kind === 'text' ? [event.text] : [])).join('');
  const finish = events.find((event) => event.kind === 'finish');
  const last = events.at(-1);
  return {
    text,
    ...(finish === undefined ? {} : { reason: finish.finish.reason }),
    ...(last?.kind === 'error' ? { error: last.error.message } : {}),
  };
};

export const readStream = (dialect: Dialect, bytes: Buffer): UnderstoodAnswer => {
  const { framing = 'sse' } = dialect;
  const splitter = framings[framing].createSplitter();
  const { frames } = splitter.push(bytes);
  expect(splitter.rest(), `${dialect.id}: ${bytes}`).toMatchObject({ frames: [], isTorn: false });
  const decoder = toCodec(dialect).streamDecoder({ scope: 'here' });
  return understand([...frames.flatMap((frame) => decoder.push(frame)), ...decoder.end()]);
};

export const readWhole = (dialect: Dialect, status: number, bytes: Buffer): UnderstoodAnswer => {
  if (status >= 400) return { text: '', error: dialect.decodeError?.(status, String(bytes), []).message ?? '' };
  const { choices } = toCodec(dialect).decodeAnswer(JSON.parse(String(bytes)), { scope: 'here' });
  return {
    text: choices.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []))).join(''),
    ...(choices[0] === undefined ? {} : { reason: choices[0].finish.reason }),
  };
};
