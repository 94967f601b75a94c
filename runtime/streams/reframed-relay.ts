import type { Dialect, Frame } from '../../plugins/sdk/dialect/dialect.ts';
import type { Framing, Splitter } from '../../plugins/sdk/framings/framing.ts';
import type { ErrorReport } from '../../schema/errors/errors.ts';
import type { UsageMeter } from '../usage/usage-meter.ts';
import { AnswerEnd } from './answer-end.ts';
import type { ClientFrames } from './client-frames.ts';
import type { FrameEditor } from './frame-edits.ts';
import { readRest } from './read-rest.ts';
import { noBytes, type RelayStep, refuseUnreadable, type StreamRelay, shownError } from './stream-relay.ts';
import { toClass } from './to-class.ts';

export interface ReframedOptions {
  /** The dialect of both sides. */
  readonly dialect: Dialect;
  /** The upstream's framing. */
  readonly framing: Framing;
  readonly frames: ClientFrames;
  /** Absent if nothing consumes usage. */
  readonly meter?: UsageMeter | undefined;
  /** Absent if no frame changes. */
  readonly editor?: FrameEditor | undefined;
  /** How many choices the request asks for. Default: one. */
  readonly choices?: number;
}

/** Used if both sides speak one dialect in different framings: each frame is rewritten without being decoded. */
export class ReframedRelay implements StreamRelay {
  readonly #dialect: Dialect;
  readonly #splitter: Splitter;
  readonly #frames: ClientFrames;
  readonly #end: AnswerEnd;
  readonly #meter: UsageMeter | undefined;
  readonly #editor: FrameEditor | undefined;
  opened = false;
  hasClosed = false;

  constructor({ dialect, framing, frames, meter, editor, choices }: ReframedOptions) {
    this.#dialect = dialect;
    this.#splitter = framing.createSplitter();
    this.#frames = frames;
    this.#meter = meter;
    this.#editor = editor;
    this.#end = new AnswerEnd(dialect, choices);
  }

  get begun(): boolean {
    return this.opened;
  }

  get heldBytes(): number {
    return this.#splitter.heldBytes;
  }

  get isClosed(): boolean {
    return this.#end.isFinal;
  }

  begin(frame: Frame): Buffer {
    return this.#frames.write([frame]);
  }

  push(chunk: Buffer): RelayStep {
    return this.#pass(this.#splitter.push(chunk).frames);
  }

  finish(): RelayStep {
    const { frames, isTorn } = readRest(this.#splitter, this.#dialect);
    const { bytes, broken } = this.#pass(frames);
    if (broken !== undefined) return { bytes, broken };
    if (!this.#end.isReached) return { bytes: noBytes, broken: { kind: 'cut' } };
    return { bytes: Buffer.concat([bytes, this.#frames.end()]), isTorn };
  }

  fail(report: ErrorReport): Buffer {
    return this.#frames.fail([this.#dialect.encodeStreamError(report, this.#frames.last)]);
  }

  #pass(frames: readonly Frame[]): RelayStep {
    const passed: Frame[] = [];
    for (const frame of frames) {
      const kind = toClass(this.#dialect, frame);
      if (kind === 'error') {
        const error = this.#dialect.decodeStreamError(frame);
        const bytes = this.#frames.write(passed);
        const shown = shownError(this.#dialect, frame, () => this.#frames.fail([frame]));
        return { bytes, broken: { kind: 'error', error, bytes: shown } };
      }
      if (!this.#frames.canWrite(frame)) {
        // After a complete answer, a client would not miss it.
        if (this.#end.isReached) continue;
        const error = { message: 'The provider sent a frame that is not JSON.' };
        return { bytes: this.#frames.write(passed), broken: { kind: 'error', error, bytes: noBytes } };
      }
      if (kind === 'content' && !this.opened) refuseUnreadable(this.#dialect, frame);
      if (kind === 'content' || kind === 'end') this.opened = true;
      this.#end.note(frame, kind);
      if (kind === 'end' || kind === 'usage') this.hasClosed = this.#end.isFinal;
      this.#meter?.frame(frame);
      const sent = this.#editor === undefined ? frame : this.#editor.frame(frame);
      if (sent !== undefined) passed.push(sent);
    }
    return { bytes: this.#frames.write(passed) };
  }
}
