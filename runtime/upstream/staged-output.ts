import type { Frame, StreamEncoder } from '../../plugins/sdk/dialect.ts';
import type { StreamItem } from './stream-item.ts';

/**
 * The frames of what has passed all stages. As long as no stage has made anything, they are those that were received; the
 * encoder follows, so that from the first event that was made it can write all of them.
 */
export class StagedOutput {
  readonly #encoder: StreamEncoder;
  #frames: Frame[] = [];
  /** What the encoder wrote of events whose frame has not gone out yet. */
  #pending: Frame[] = [];
  isAsReceived: boolean;
  /** Whether any content has passed. */
  opened = false;

  constructor({ encoder, asReceived }: { readonly encoder: StreamEncoder; readonly asReceived: boolean }) {
    this.#encoder = encoder;
    this.isAsReceived = asReceived;
  }

  add({ event, frame, opens, made }: StreamItem): void {
    if (opens) this.opened = true;
    if (event !== undefined) this.#pending.push(...this.#encoder.push(event));
    if (made === true) this.isAsReceived = false;
    if (!this.isAsReceived) this.#write(this.#pending);
    else if (frame !== undefined) this.#write([frame]);
  }

  /** A frame after the end of the answer. */
  addLate(frame: Frame): void {
    if (this.isAsReceived) this.#frames.push(frame);
  }

  /** The answer is complete. */
  close(): void {
    this.opened = true;
    if (!this.isAsReceived) this.#write([...this.#pending, ...this.#encoder.end()]);
  }

  /** The frames since the last call. */
  take(): readonly Frame[] {
    const taken = this.#frames;
    this.#frames = [];
    return taken;
  }

  #write(frames: readonly Frame[]): void {
    this.#frames.push(...frames);
    this.#pending = [];
  }
}
