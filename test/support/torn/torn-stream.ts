import type { Dialect, Frame } from '../../../plugins/sdk/dialect/dialect.ts';
import { providerFraming } from '../../../plugins/sdk/framings/provider-framing.ts';
import { writeFrame } from '../../../plugins/sdk/framings/sse.ts';
import type { WholeStream } from './whole-streams.ts';

/** How a service writes server-sent events. */
export interface SseStyle {
  readonly name: string;
  readonly lineEnd: '\n' | '\r\n' | '\r';
  /** Before the first frame. */
  readonly mark?: string;
  /** A comment after each frame, as heartbeats are. */
  readonly heartbeat?: string;
  /** Whether the data of a frame has a line for each of its members. */
  readonly isSpread?: boolean;
}

const plainSse: SseStyle = { name: 'as usual', lineEnd: '\n' };

/** Where a frame is in the bytes of its stream. */
interface Place {
  readonly frame: Frame;
  /** After its last byte that is no line break. */
  readonly said: number;
  /** From here on its framing says that it is whole. */
  readonly closed: number;
  readonly end: number;
}

/** The bytes of a stream, and where its frames are. */
export interface WrittenStream {
  readonly dialect: Dialect;
  readonly bytes: Buffer;
  readonly places: readonly Place[];
}

const spread = (frame: Frame): Frame => {
  if (!frame.data.startsWith('{')) return frame;
  return { ...frame, data: JSON.stringify(JSON.parse(frame.data), null, 1) };
};

const inSse = ({ dialect, frames }: WholeStream, style: SseStyle): WrittenStream => {
  const { lineEnd, mark = '', heartbeat, isSpread = false } = style;
  const pieces: string[] = [mark];
  const places: Place[] = [];
  let at = Buffer.byteLength(mark);
  for (const frame of frames) {
    const text = writeFrame(isSpread ? spread(frame) : frame)
      .trimEnd()
      .replaceAll('\n', lineEnd);
    const border = lineEnd + lineEnd;
    const said = at + Buffer.byteLength(text);
    // A line feed after a carriage return belongs to it, and is not waited for.
    const closed = said + border.length - (lineEnd === '\r\n' ? 1 : 0);
    at = said + border.length;
    places.push({ frame, said, closed, end: at });
    pieces.push(text, border);
    if (heartbeat === undefined) continue;
    const comment = heartbeat + border;
    pieces.push(comment);
    at += Buffer.byteLength(comment);
  }
  return { dialect, bytes: Buffer.from(pieces.join('')), places };
};

/** A stream as its provider sends it. */
export const written = (stream: WholeStream, style: SseStyle = plainSse): WrittenStream => {
  const { dialect, frames } = stream;
  const framing = providerFraming(dialect);
  if (framing.id === 'sse') return inSse(stream, style);
  const writer = framing.createWriter();
  const pieces = frames.map((frame) => writer.write([frame]));
  let end = 0;
  const places = pieces.map((piece, index) => {
    end += piece.length;
    return { frame: frames[index] ?? { data: '' }, said: end, closed: end, end };
  });
  return { dialect, bytes: Buffer.concat(pieces), places };
};

/** What a stream that was cut is, by what is decided of the last frame. */
export interface Expected {
  /** Whether a frame that ends the answer was whole. */
  readonly hasEnded: boolean;
  /** Whether something after the last whole frame was torn. */
  readonly isTorn: boolean;
  /** The whole frames. */
  readonly frames: readonly Frame[];
}

const isEndFrame = ({ dialect }: WrittenStream, frame: Frame): boolean =>
  dialect.classify(frame) === 'end' || frame.data === '[DONE]';

/** Whether one of the frames says that nothing follows it. */
export const isClosed = (dialect: Dialect, frames: readonly Frame[]): boolean => {
  if (dialect.conversation === undefined) return frames.some((frame) => dialect.classify(frame) === 'end');
  const decoder = dialect.conversation.streamDecoder({ scope: 'here' });
  return frames.some((frame) => decoder.push(frame).some(({ kind }) => kind === 'end'));
};

/** How a body ends: in good order, or because its connection was reset. */
export type TornBy = 'end' | 'reset';

/** What is left of a stream that ends after `length` bytes. Only where its body ended can a last line be a whole frame. */
export const expected = (stream: WrittenStream, length: number, by: TornBy): Expected => {
  const { dialect, bytes, places } = stream;
  const whole = places.filter((place) => place.closed <= length);
  const last = places[whole.length];
  const mayBeLast =
    by === 'end' ||
    isClosed(
      dialect,
      whole.map(({ frame }) => frame),
    );
  const isLastWhole = mayBeLast && last !== undefined && last.said <= length && isEndFrame(stream, last.frame);
  const frames = [...whole, ...(isLastWhole ? [last] : [])].map(({ frame }) => frame);
  const rest = bytes.toString('utf8', isLastWhole ? last.said : (whole.at(-1)?.end ?? 0), length);
  return {
    hasEnded: frames.some((frame) => dialect.classify(frame) === 'end'),
    // Line breaks, and comments of which the line has ended, are nothing that could be torn.
    isTorn: !/^(?:[\r\n]|:[^\r\n]*[\r\n])*$/.test(rest),
    frames,
  };
};
