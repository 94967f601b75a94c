import type { Dialect, Frame, FrameClass, StreamDecoder } from '../../plugins/sdk/dialect/dialect.ts';
import { ChoiceEnds } from './choice-ends.ts';
import { isBlank } from './to-class.ts';

/** Several choices, each with its own end. */
interface Several {
  readonly wanted: number;
  readonly decoder: StreamDecoder;
  readonly ends: ChoiceEnds;
}

const findSeveral = ({ conversation }: Dialect, wanted: number): Several | undefined =>
  wanted > 1 && conversation !== undefined
    ? { wanted, decoder: conversation.streamDecoder({ scope: '' }), ends: new ChoiceEnds() }
    : undefined;

/** Whether a frame ends all choices at once, in every dialect. */
const isDone = ({ data }: Frame): boolean => data.startsWith('[DONE]');

/** Tracks whether an answer that is not translated has ended, by its frames in order. */
export class AnswerEnd {
  readonly #dialect: Dialect;
  readonly #several: Several | undefined;
  /** How many ends of choices the answer has, in a dialect whose frames do not identify their choice. */
  readonly #wantedEnds: number;
  #ends = 0;
  /** The frame that ended the answer. Content after it revokes the end. */
  #frame: Frame | undefined;
  /** The last frame with counts. In some dialects, an answer is not over without it. */
  #usage: Frame | undefined;

  /** `wanted`: how many choices the request asks for. If there are several, every frame has to be noted. */
  constructor(dialect: Dialect, wanted = 1) {
    this.#dialect = dialect;
    this.#several = findSeveral(dialect, wanted);
    this.#wantedEnds = dialect.conversation === undefined ? wanted : 0;
  }

  /** Whether a frame has come that can end an answer, with no content after it, and all of its choices have ended. */
  get isReached(): boolean {
    if (this.#frame === undefined) return false;
    const several = this.#several;
    if (several === undefined) return this.#haveAllEnded(this.#frame);
    return several.ends.haveFinished(several.wanted) || this.isFinal;
  }

  /** A dialect may have several frames that can end an answer. Its decoder knows which of them is the very last. */
  get isFinal(): boolean {
    const frame = this.#frame;
    return frame !== undefined && this.#haveAllEnded(frame) && this.closes(frame, this.#usage);
  }

  /** Content revokes an end, because another choice continues. But nothing continues after the very last frame. */
  note(frame: Frame, kind: FrameClass): void {
    if (this.#several !== undefined && !isBlank(frame))
      for (const event of this.#several.decoder.push(frame)) this.#several.ends.note(event);
    if (kind === 'usage') this.#usage = frame;
    else if (kind === 'end') {
      this.#ends += 1;
      if (!this.isFinal) this.#frame = frame;
    } else if (kind === 'content' && this.#frame !== undefined && !this.isFinal) this.#frame = undefined;
  }

  /** Notes the very last frame. */
  close(frame: Frame): void {
    this.#ends = this.#wantedEnds;
    this.#frame = frame;
  }

  closes(...frames: readonly (Frame | undefined)[]): boolean {
    const decoder = this.#dialect.conversation?.streamDecoder({ scope: '' });
    if (decoder === undefined) return true;
    return frames.some((frame) => frame !== undefined && decoder.push(frame).some(({ kind }) => kind === 'end'));
  }

  #haveAllEnded(last: Frame): boolean {
    return this.#ends >= this.#wantedEnds || isDone(last);
  }
}
