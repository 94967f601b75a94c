import type { Dialect, Frame } from '../../../plugins/sdk/dialect/dialect.ts';
import { providerFraming } from '../../../plugins/sdk/framings/provider-framing.ts';
import { writeFrame } from '../../../plugins/sdk/framings/sse.ts';
import type { WholeStream } from './whole-streams.ts';

/** How a service formats server-sent events. */
export interface SseStyle {
  readonly name: string;
  readonly lineEnd: '\n' | '\r\n' | '\r';
  /** The text before the first frame. */
  readonly mark?: string;
  /** A comment after each frame, like a heartbeat. */
  readonly heartbeat?: string;
  /** Whether the data of a frame has one line for each of its members. */
  readonly isSpread?: boolean;
}

const plainSse: SseStyle = { name: 'as usual', lineEnd: '\n' };

/** The position of a frame in the bytes of its stream. */
interface Place {
  readonly frame: Frame;
  /** The offset after its last byte that is not a line break. */
  readonly textEnd: number;
  /** The offset from which its framing makes it complete. */
  readonly closed: number;
  readonly end: number;
}

/** The bytes of a stream, and the positions of its frames. */
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
    const textEnd = at + Buffer.byteLength(text);
    // A line feed after a carriage return belongs to it, but is not waited for.
    const closed = textEnd + border.length - (lineEnd === '\r\n' ? 1 : 0);
    at = textEnd + border.length;
    places.push({ frame, textEnd, closed, end: at });
    pieces.push(text, border);
    if (heartbeat === undefined) continue;
    const comment = heartbeat + border;
    pieces.push(comment);
    at += Buffer.byteLength(comment);
  }
  return { dialect, bytes: Buffer.from(pieces.join('')), places };
};

/** Formats a stream as its provider sends it. */
export const written = (stream: WholeStream, style: SseStyle = plainSse): WrittenStream => {
  const { dialect, frames } = stream;
  const framing = providerFraming(dialect);
  if (framing.id === 'sse') return inSse(stream, style);
  const writer = framing.createWriter();
  const pieces = frames.map((frame) => writer.write([frame]));
  let end = 0;
  const places = pieces.map((piece, index) => {
    end += piece.length;
    return { frame: frames[index] ?? { data: '' }, textEnd: end, closed: end, end };
  });
  return { dialect, bytes: Buffer.concat(pieces), places };
};

/** What a truncated stream is, according to its last frame. */
export interface Expected {
  /** Whether a frame that ends the answer was complete. */
  readonly hasEnded: boolean;
  /** Whether something after the last complete frame was torn. */
  readonly isTorn: boolean;
  /** The complete frames. */
  readonly frames: readonly Frame[];
}

const isEndFrame = ({ dialect }: WrittenStream, frame: Frame): boolean =>
  dialect.classify(frame) === 'end' || frame.data === '[DONE]';

/** Whether one of the frames means that nothing follows. */
export const isClosed = (dialect: Dialect, frames: readonly Frame[]): boolean => {
  if (dialect.conversation === undefined) return frames.some((frame) => dialect.classify(frame) === 'end');
  const decoder = dialect.conversation.streamDecoder({ scope: 'here' });
  return frames.some((frame) => decoder.push(frame).some(({ kind }) => kind === 'end'));
};

/** How a body ends: in good order, or because its connection was reset. */
export type TornBy = 'end' | 'reset';

/**
 * Returns what remains of a stream that ends after `length` bytes. A last line can be a complete frame only if the body ended.
 */
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
  const isLastWhole = mayBeLast && last !== undefined && last.textEnd <= length && isEndFrame(stream, last.frame);
  const frames = [...whole, ...(isLastWhole ? [last] : [])].map(({ frame }) => frame);
  const rest = bytes.toString('utf8', isLastWhole ? last.textEnd : (whole.at(-1)?.end ?? 0), length);
  return {
    hasEnded: frames.some((frame) => dialect.classify(frame) === 'end'),
    // Line breaks and terminated comments cannot be torn.
    isTorn: !/^(?:[\r\n]|:[^\r\n]*[\r\n])*$/.test(rest),
    frames,
  };
};
