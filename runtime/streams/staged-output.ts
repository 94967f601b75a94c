import type { Frame, StreamEncoder } from '../../plugins/sdk/dialect/dialect.ts';
import type { AnswerEvent } from '../../schema/conversation/answer.ts';
import type { LinkedStage } from './stage-queue.ts';
import type { StreamItem } from './stream-item.ts';

/** The maximum number of events that were sent as received and that the encoder has not followed yet. */
const maxBehind = 1024;

export interface OutputOptions {
  readonly encoder: StreamEncoder;
  readonly asReceived: boolean;
  readonly stages: readonly LinkedStage[];
}

/**
 * The frames of what has passed all stages. As long as no stage has created anything, these are the received frames, and the
 * encoder is not called. From the first created event on it writes all of them, after it has followed those that were sent
 * before.
 */
export class StagedOutput {
  readonly #encoder: StreamEncoder;
  #frames: Frame[] = [];
  /** The events that the encoder has not received. */
  #behind: AnswerEvent[] = [];
  /** How many of these were sent in their frames. */
  #gone = 0;
  /**
   * Frames without an event of their own that came after the last event. They may open or close what the next event belongs to,
   * so they stay with it: if that event was created, the encoder writes such frames itself.
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

  /** Adds a frame that belongs to no part of the answer, or comes after its end. */
  addApart(frame: Frame): void {
    if (this.isAsReceived) this.#frames.push(frame);
  }

  /** Called when no event follows. */
  flush(): void {
    if (this.isAsReceived) this.#frames.push(...this.#between);
    this.#between = [];
  }

  /** Called when the answer is complete. */
  close(): void {
    this.opened = true;
    this.flush();
    if (this.isAsReceived) return;
    this.#encode();
    this.#frames.push(...this.#encoder.end());
  }

  /** Returns the frames since the last call. */
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

  /** Passes the encoder what it has not seen, and writes what was not sent. */
  #encode(): void {
    for (const [at, event] of this.#behind.entries()) {
      const frames = this.#encoder.push(event);
      if (at >= this.#gone) this.#frames.push(...frames);
    }
    this.#behind = [];
    this.#gone = 0;
  }
}
