import type { Frame } from '../../plugins/sdk/dialect/dialect.ts';
import type { FrameWriter, Framing } from '../../plugins/sdk/framings/framing.ts';
import { noBytes } from './stream-relay.ts';

/** Frames of the gateway itself that come after the answer, or before the error that ends it. */
export type Trailer = () => readonly Frame[];

/** The client's side of a stream whose frames are rewritten in the client's framing. */
export class ClientFrames {
  readonly #framing: Framing;
  readonly #writer: FrameWriter;
  readonly #trailer: Trailer | undefined;
  /** The last frame that was written. */
  last: Frame | undefined;

  constructor(framing: Framing, trailer?: Trailer) {
    this.#framing = framing;
    this.#writer = framing.createWriter();
    this.#trailer = trailer;
  }

  /** Whether the client's framing can carry a frame that another framing has carried. */
  canWrite(frame: Frame): boolean {
    return this.#framing.canWrite?.(frame) ?? true;
  }

  write(frames: readonly Frame[]): Buffer {
    if (frames.length === 0) return noBytes;
    this.last = frames[frames.length - 1];
    return this.#writer.write(frames);
  }

  /** Returns the end of a complete answer. */
  end(): Buffer {
    return this.#closed([]);
  }

  /** Returns the end of a broken answer: its error. */
  fail(frames: readonly Frame[]): Buffer {
    return this.#closed(frames);
  }

  #closed(frames: readonly Frame[]): Buffer {
    const bytes = this.write([...(this.#trailer?.() ?? []), ...frames]);
    const end = this.#writer.end();
    return end.length === 0 ? bytes : Buffer.concat([bytes, end]);
  }
}
