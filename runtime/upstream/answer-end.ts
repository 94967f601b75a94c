import type { Dialect, Frame, FrameClass } from '../../plugins/sdk/dialect.ts';

/** Whether an answer that is not translated has ended, by its frames in their order. */
export class AnswerEnd {
  readonly #dialect: Dialect;
  /** The frame that ended the answer; content after it takes it back. */
  #frame: Frame | undefined;
  /** The last frame with counts: in some dialects an answer is not over without it. */
  #usage: Frame | undefined;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** Whether a frame has come that can end an answer, and no content after it. */
  get isReached(): boolean {
    return this.#frame !== undefined;
  }

  /** A dialect may have several frames that can end an answer; of those, its decoder knows the very last one. */
  get isFinal(): boolean {
    return this.#frame !== undefined && this.closes(this.#frame, this.#usage);
  }

  /** Content takes an end back, since another choice goes on; but nothing goes on after the very last frame. */
  note(frame: Frame, kind: FrameClass): void {
    if (kind === 'usage') this.#usage = frame;
    else if (kind === 'end') {
      if (!this.isFinal) this.#frame = frame;
    } else if (kind === 'content' && this.#frame !== undefined && !this.isFinal) this.#frame = undefined;
  }

  /** Notes the very last frame. */
  close(frame: Frame): void {
    this.#frame = frame;
  }

  closes(...frames: readonly (Frame | undefined)[]): boolean {
    const decoder = this.#dialect.conversation?.streamDecoder({ scope: '' });
    if (decoder === undefined) return true;
    return frames.some((frame) => frame !== undefined && decoder.push(frame).some(({ kind }) => kind === 'end'));
  }
}
