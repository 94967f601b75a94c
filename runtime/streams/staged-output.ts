import type { Frame, StreamEncoder } from '../../plugins/sdk/dialect/dialect.ts';
import type { AnswerEvent } from '../../schema/conversation/answer.ts';
import type { LinkedStage } from './stage-queue.ts';
import type { StreamItem } from './stream-item.ts';

/** The most events that went out as received and that the encoder has not followed yet. */
const maxBehind = 1024;

export interface OutputOptions {
  readonly encoder: StreamEncoder;
  readonly asReceived: boolean;
  readonly stages: readonly LinkedStage[];
}

/**
 * The frames of what has passed all stages. As long as no stage has made anything, they are those that were received, and
 * the encoder is not asked. From the first event that was made it writes all of them, after it has followed those that
 * went out before.
 */
export class StagedOutput {
  readonly #encoder: StreamEncoder;
  #frames: Frame[] = [];
  /** The events that the encoder has not been given. */
  #behind: AnswerEvent[] = [];
  /** How many of these have gone out in their frames. */
  #gone = 0;
  /**
   * Frames without an event of their own that came after the last event. They may open or close what the next event
   * belongs to, so they go with it: if that event was made, the encoder writes such frames itself.
   */
  #between: Frame[] = [];
  readonly #mayMake: boolean;
  isAsReceived: boolean;
  /** Whether any content has passed. */
  opened = false;

  constructor({ encoder, asReceived, stages }: OutputOptions) {
    this.#encoder = encoder;
    this.isAsReceived = asReceived;
    this.#mayMake = stages.some(({ onlyReads }) => onlyReads !== true);
  }

  add({ event, frame, opens, made }: StreamItem): void {
    if (opens) this.opened = true;
    if (made) this.isAsReceived = false;
    if (event !== undefined) this.#behind.push(event);
    if (!this.isAsReceived) this.#encode();
    else if (frame !== undefined) this.#addReceived(frame, event !== undefined);
  }

  /** A frame that belongs to no part of the answer, or comes after its end. */
  addApart(frame: Frame): void {
    if (this.isAsReceived) this.#frames.push(frame);
  }

  /** No event follows. */
  flush(): void {
    if (this.isAsReceived) this.#frames.push(...this.#between);
    this.#between = [];
  }

  /** The answer is complete. */
  close(): void {
    this.opened = true;
    this.flush();
    if (this.isAsReceived) return;
    this.#encode();
    this.#frames.push(...this.#encoder.end());
  }

  /** The frames since the last call. */
  take(): readonly Frame[] {
    const taken = this.#frames;
    this.#frames = [];
    return taken;
  }

  #addReceived(frame: Frame, hasEvent: boolean): void {
    if (!hasEvent && this.#mayMake) {
      this.#between.push(frame);
      return;
    }
    if (this.#between.length > 0) this.flush();
    this.#frames.push(frame);
    this.#gone = this.#behind.length;
    if (this.#gone >= maxBehind) this.#encode();
  }

  /** The encoder is given what it has not seen, and writes what has not gone out. */
  #encode(): void {
    for (const [at, event] of this.#behind.entries()) {
      const frames = this.#encoder.push(event);
      if (at >= this.#gone) this.#frames.push(...frames);
    }
    this.#behind = [];
    this.#gone = 0;
  }
}
