import { chat } from '../../../../plugins/dialects/chat/chat.ts';
import type { AnswerCodec, Frame, FramingId } from '../../../../plugins/sdk/dialect/dialect.ts';
import { findAnswerCodec } from '../../../../plugins/sdk/dialect/find-answer-codec.ts';
import { framings } from '../../../../plugins/sdk/framings/framings.ts';
import type { Sink, StreamEnd } from '../../../../plugins/sdk/http/http.ts';
import { StreamEnding } from '../../../../runtime/engine/attempt/answer/stream-ending.ts';
import type { StreamSource } from '../../../../runtime/engine/call/stream-source.ts';
import type { ClientWriterParts } from '../../../../runtime/engine/continued-streams/client-writer.ts';
import type { BranchStream } from '../../../../runtime/engine/continued-streams/continued-stream.ts';
import { Handover } from '../../../../runtime/engine/continued-streams/handover.ts';
import { type ErrorReport, errorReport } from '../../../../schema/errors/errors.ts';
import { sampleLeaf } from '../../../support/plans/sample-plan.ts';

const found = findAnswerCodec(chat);
if (found === undefined) throw new Error('Answers of chat cannot be read.');
export const codec: AnswerCodec = found;
/** A client of chat completions. */
export const parts: ClientWriterParts = { dialect: chat, codec, framing: framings.sse };
export const toBytes = (frames: readonly Frame[], framing: FramingId = 'sse'): Buffer =>
  framings[framing].createWriter().write(frames);
export const cut: ErrorReport = errorReport('stream-cut', {});

/** The source of a stream of chat completions. */
export const source: StreamSource = {
  ...{ leaf: sampleLeaf(0), provider: 'p', outgoing: undefined, restores: false, dialect: chat, framing: 'sse' },
  decodeOptions: () => ({ scope: 'here' }),
  encodeOptions: () => ({ provider: 'p', strict: false, streamUsage: false, created: 1 }),
  counts: () => ({ input: 2, output: 3 }),
  records: () => [{ kind: 'reported', model: 'm', input: { total: 2 }, output: { total: 3 } }],
};

/** A branch whose stream sends what a test says. */
export interface TestBranch extends BranchStream {
  readonly isDiscarded: boolean;
  readonly sink: Sink;
  finish(end: StreamEnd): void;
  /** Breaks, and writes the error itself if nothing takes over. */
  break(error?: ErrorReport): void;
}

export const createBranch = (given: Partial<StreamSource> = {}): TestBranch => {
  const ending = new StreamEnding();
  const handover = new Handover({ ...source, ...given });
  let sink: Sink | undefined;
  let isDiscarded = false;
  return {
    handover,
    body: {
      kind: 'stream' as const,
      start: (given: Sink) => {
        sink = given;
      },
      discard: () => {
        isDiscarded = true;
        ending.finish('left');
      },
      onEnd: (listener: (end: StreamEnd) => void) => ending.onEnd(listener),
    },
    get isDiscarded() {
      return isDiscarded;
    },
    get sink(): Sink {
      if (sink === undefined) throw new Error('The stream was not started.');
      return sink;
    },
    finish: (end: StreamEnd) => ending.finish(end),
    break(error = cut) {
      const last = Buffer.from('last');
      if (handover.take?.({ error, last }) !== true) sink?.write(last);
      sink?.end();
      ending.finish('failed');
    },
  };
};

export interface TestClient {
  readonly sink: Sink;
  readonly events: string[];
  readonly resumes: (() => void)[];
}

/** A client that receives a stream, with room for so many chunks at a time. */
export const createClient = (room: number = Number.POSITIVE_INFINITY): TestClient => {
  const events: string[] = [];
  const resumes: (() => void)[] = [];
  let chunks = 0;
  const sink: Sink = {
    write: (chunk) => {
      events.push(Buffer.from(chunk).toString());
      chunks += 1;
      return chunks < room;
    },
    onDrain: (resume) => void resumes.push(resume),
    trailer: (name, value) => void events.push(`${name}: ${value}`),
    end: () => void events.push('<end>'),
    fail: ({ code }) => void events.push(`<${code}>`),
  };
  return { sink, events, resumes };
};
