import type { Dialect, Frame } from '../../plugins/sdk/dialect/dialect.ts';
import type { FrameWriter } from '../../plugins/sdk/framings/framing.ts';
import type { Answer, AnswerEvent } from '../../schema/conversation/answer.ts';
import { isSuccess } from '../../schema/http/status.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import { completionFrames, plainCompletion, type StreamExtent } from './plain-completion.ts';

const text = 'Hello.';
const usage = { input: 1, output: 1 } as const;

const answer: Answer = {
  id: 'replay',
  model: 'replay',
  created: 0,
  choices: [{ index: 0, parts: [{ kind: 'text', text }], finish: { reason: 'stop' } }],
  usage,
  extensions: {},
};

const events: readonly AnswerEvent[] = [
  { kind: 'start', id: answer.id, model: answer.model, created: 0, usage },
  { kind: 'text', choice: 0, block: 0, text },
  { kind: 'finish', choice: 0, finish: { reason: 'stop' } },
  { kind: 'usage', usage },
  { kind: 'end' },
];

const options = { provider: 'replay', strict: true, streamUsage: false } as const;

/** The requested properties of an answer. */
interface PlainAnswer {
  readonly status: number;
  /** Whether it has a text, in any dialect. */
  readonly hasText: boolean;
}

/** Returns an answer, or an error, in a dialect. Without a dialect or a codec, returns an object with a text or none. */
export const plainAnswer = (dialect: Dialect | undefined, { status, hasText }: PlainAnswer): JsonObject => {
  if (!isSuccess(status)) return dialect?.encodeWireError({ message: `A replayed ${status}.` }, status) ?? {};
  if (dialect?.operation === 'complete') return plainCompletion;
  return dialect?.conversation?.encodeAnswer(answer, options) ?? (hasText ? { text } : {});
};

const eventCount = { preamble: 1, begun: 2, whole: events.length } as const;

/** Returns the frames of the same answer as a stream. Without a codec, any frame will do. */
const plainFrames = (dialect: Dialect | undefined, extent: StreamExtent): readonly Frame[] => {
  if (dialect?.operation === 'complete') return completionFrames[extent];
  const encoder = dialect?.conversation?.streamEncoder(options);
  if (encoder === undefined) return extent === 'preamble' ? [] : [{ data: '{}' }];
  const frames = events.slice(0, eventCount[extent]).flatMap((event) => encoder.push(event));
  return extent === 'whole' ? [...frames, ...encoder.end()] : frames;
};

export interface PlainStream {
  readonly dialect: Dialect | undefined;
  readonly extent: StreamExtent;
  readonly writer: FrameWriter;
}

export const plainStream = ({ dialect, extent, writer }: PlainStream): Buffer =>
  writer.write(plainFrames(dialect, extent));
