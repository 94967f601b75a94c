import type { Dialect, Frame } from '../../plugins/sdk/dialect/dialect.ts';
import { findAnswerCodec } from '../../plugins/sdk/dialect/find-answer-codec.ts';
import type { WireError } from '../../schema/conversation/answer.ts';
import type { ErrorReport } from '../../schema/errors/errors.ts';
import { isBracketed } from '../json-bodies/read/unreadable-reason.ts';

/** The result of a piece of an upstream's stream. */
export interface RelayStep {
  /** For the client. May be empty. */
  readonly bytes: Buffer;
  /** Set if the answer ends after those bytes, and nothing more may be pushed. */
  readonly broken?: Breakage;
  /** The step that follows those bytes, once a stage has decided. Until then nothing may be pushed. */
  readonly later?: Promise<RelayStep>;
  /** For the last step of a complete answer: whether what came after its end was torn, and dropped. */
  readonly isTorn?: boolean;
}

/**
 * `error`: the upstream reported one, and `bytes` contain it for the client. `cut`: the answer ended before it was complete.
 * `refused`: a stage does not let the answer continue.
 */
export type Breakage =
  | { readonly kind: 'error'; readonly error: WireError; readonly bytes: Buffer }
  | { readonly kind: 'refused'; readonly report: ErrorReport }
  | { readonly kind: 'cut' };

/** Turns the upstream's bytes of one stream into the client's. */
export interface StreamRelay {
  /** Whether the upstream's answer has begun, or is complete without any content. */
  readonly begun: boolean;
  /** The same for what the client receives, because stages may hold the beginning back. */
  readonly opened: boolean;
  /** Whether the upstream's last frame has arrived. The answer is then complete, whatever happens to the connection. */
  readonly isClosed: boolean;
  /** The same, as far as it is known without reading anything again, because it may be checked after each chunk. */
  readonly hasClosed: boolean;
  /** The number of bytes that are held back: an incomplete frame, and what stages hold. */
  readonly heldBytes: number;
  /** Returns the gateway's own frame that comes before the answer, in the client's framing. */
  begin(frame: Frame): Buffer;
  push(chunk: Buffer): RelayStep;
  /** Called when the upstream ended its stream cleanly. */
  finish(): RelayStep;
  /** Returns the event that notifies the client of a failure, and what its framing has after the last event. */
  fail(report: ErrorReport): Buffer;
}

export const noBytes: Buffer = Buffer.alloc(0);

/**
 * Returns the bytes of an upstream's error for the client. Empty if the client would not recognise it as an error, so that it
 * receives the gateway's own.
 */
export const shownError = ({ hidesError }: Pick<Dialect, 'hidesError'>, frame: Frame, write: () => Buffer): Buffer =>
  hidesError?.(frame) === true ? noBytes : write();

/**
 * Throws an `Error` if the first content of a stream cannot be read, so that another attempt can be made. Only a frame that is not
 * JSON at both ends is decoded, because frames are otherwise passed on without being parsed.
 */
export const refuseUnreadable = (dialect: Dialect, frame: Frame): void => {
  if (isBracketed(Buffer.from(frame.data))) return;
  for (const event of findAnswerCodec(dialect)?.streamDecoder({ scope: '' }).push(frame) ?? [])
    if (event.kind === 'error') throw new TypeError(event.error.message);
};
