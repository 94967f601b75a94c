import type { WireError } from '../../schema/conversation.ts';
import type { ErrorReport } from '../../schema/errors.ts';

/** What a piece of an upstream's stream comes to. */
export interface RelayStep {
  /** For the client; may be empty. */
  readonly bytes: Buffer;
  /** The answer does not go on after those bytes, and nothing more is to be pushed. */
  readonly broken?: Breakage;
}

/** `error`: the upstream reported one, and `bytes` tell it to the client. `cut`: the answer ended before it was whole. */
export type Breakage =
  | { readonly kind: 'error'; readonly error: WireError; readonly bytes: Buffer }
  | { readonly kind: 'cut' };

/** One stream on its way from the upstream's bytes to the client's. */
export interface StreamRelay {
  /** The answer has begun, or is whole without any content. */
  readonly opened: boolean;
  /** The upstream's last frame has come: whatever becomes of its connection, the answer is whole. */
  readonly isClosed: boolean;
  /** Bytes of a frame that is not complete yet. */
  readonly heldBytes: number;
  push(chunk: Buffer): RelayStep;
  /** The upstream has ended its stream in good order. */
  finish(): RelayStep;
  /** The event that tells the client of a failure. */
  fail(report: ErrorReport): Buffer;
}

export const noBytes: Buffer = Buffer.alloc(0);
