import type { Dialect, Frame } from '../../plugins/sdk/dialect/dialect.ts';
import type { FrameWriter, Framing, PlacedFrame, Split, Splitter } from '../../plugins/sdk/framings/framing.ts';
import { SseSplitter, sse } from '../../plugins/sdk/framings/sse.ts';
import type { ErrorReport } from '../../schema/errors/errors.ts';
import { literalPattern } from '../../schema/text/regex.ts';
import type { UsageMeter } from '../usage/usage-meter.ts';
import { AnswerEnd } from './answer-end.ts';
import { editedBytes, type FrameEditor } from './frame-edits.ts';
import { readRest } from './read-rest.ts';
import { noBytes, type RelayStep, refuseUnreadable, type StreamRelay, shownError } from './stream-relay.ts';
import { toClass } from './to-class.ts';

const frameEnd: Buffer = Buffer.from('\n\n');
const lf = 10;
const colon = 58;

/** Whether the bytes end at the end of a frame. */
const endsFrame = (bytes: Buffer): boolean => bytes[bytes.length - 1] === lf && bytes[bytes.length - 2] === lf;

const readFrames = (chunk: Buffer): readonly Frame[] => new SseSplitter().push(chunk).frames;

/**
 * The maximum number of bytes of a chunk that may be kept as it is. Only the end of a larger one is copied, so that the rest can
 * be collected.
 */
const maxRetainedBytes = 4096;

/** Returns the last two frames of a chunk of whole frames, or all of a small chunk. */
const lastFrames = (chunk: Buffer): Buffer => {
  if (chunk.length <= maxRetainedBytes) return chunk;
  const last = chunk.lastIndexOf(frameEnd, chunk.length - frameEnd.length - 1);
  const beforeLast = last <= 0 ? -1 : chunk.lastIndexOf(frameEnd, last - 1);
  return Buffer.from(beforeLast === -1 ? chunk : chunk.subarray(beforeLast + frameEnd.length));
};

/** The readers of frames, and their editors. */
interface Readers {
  readonly meter: UsageMeter | undefined;
  readonly editor: FrameEditor | undefined;
}

/** Returns the names of events that end an answer. A member that does so also occurs in other frames, and is found at the end. */
const endTypes = ({ endFrames = [] }: Dialect): readonly string[] =>
  endFrames.flatMap((row) => ('type' in row ? row.type : []));

/**
 * The end of a chunk with which the service finishes. Looking there costs less than searching the whole chunk for one more text.
 */
const doneEnd = '[DONE]\n\n';

/** Only bytes of server-sent events are passed on unread, because their frames are text, and end in an empty line. */
const marksIn = (dialect: Dialect, { id }: Framing, { meter, editor }: Readers): RegExp | undefined => {
  const { errorMark } = dialect;
  if (errorMark === undefined || id !== 'sse' || (meter !== undefined && meter.mark === undefined)) return undefined;
  const marks = [errorMark, endTypes(dialect), meter?.mark ?? [], editor?.marks ?? []].flat();
  // A string is searched once for all marks, but bytes would be searched once for each.
  return new RegExp(marks.map((mark) => literalPattern(Buffer.from(mark).toString('latin1'))).join('|'));
};

export interface SameDialectOptions {
  readonly dialect: Dialect;
  /** Default: server-sent events. */
  readonly framing?: Framing;
  /** How many choices the request asks for. Default: one. */
  readonly choices?: number;
  /** Absent if nothing consumes usage. */
  readonly meter?: UsageMeter | undefined;
  /** Absent if no frame changes. */
  readonly editor?: FrameEditor | undefined;
}

/**
 * Used if both sides speak one dialect in one framing: bytes are passed on as received, in whole frames. Frames are examined one
 * by one until the answer has begun. From then on, a chunk of whole frames is passed on unread if it contains no mark of the
 * dialect's errors and ends. Whether the answer was complete is determined at the end, from the last of them. A frame of the
 * framing must be self-contained, because the gateway's own are written beside the received bytes. If something consumes usage,
 * frames with the mark of usage are read too.
 */
export class SameDialectRelay implements StreamRelay {
  readonly #dialect: Dialect;
  /** Finds texts that must not occur in bytes that are passed on unread, each as latin1. Undefined if all frames are read. */
  readonly #marks: RegExp | undefined;
  readonly #meter: UsageMeter | undefined;
  readonly #editor: FrameEditor | undefined;
  readonly #splitter: Splitter;
  readonly #writer: FrameWriter;
  /** The step that is reused for every chunk that is passed on unread: it is consumed before the next one comes. */
  readonly #unread: { bytes: Buffer } = { bytes: noBytes };
  /** The end of the answer, as far as frames were read. */
  readonly #end: AnswerEnd;
  /** The last two chunks that were passed on unread since then. */
  #last: Buffer | undefined;
  #beforeLast: Buffer | undefined;
  /** The last frame that was read. */
  #lastRead: Frame | undefined;
  opened = false;
  hasClosed = false;

  constructor({ dialect, framing = sse, meter, editor, choices = 1 }: SameDialectOptions) {
    this.#dialect = dialect;
    this.#meter = meter;
    this.#editor = editor;
    // With several choices, each end has to be found.
    this.#marks = choices > 1 ? undefined : marksIn(dialect, framing, { meter, editor });
    this.#splitter = framing.createSplitter();
    this.#writer = framing.createWriter();
    this.#end = new AnswerEnd(dialect, choices);
  }

  get begun(): boolean {
    return this.opened;
  }

  get heldBytes(): number {
    return this.#splitter.heldBytes;
  }

  get isClosed(): boolean {
    this.#readUnread();
    return this.#end.isFinal;
  }

  begin(frame: Frame): Buffer {
    return this.#writer.write([frame]);
  }

  push(chunk: Buffer): RelayStep {
    const text = this.#unreadText(chunk);
    if (text === undefined) return this.#pass(this.#splitter.push(chunk));
    this.#beforeLast = this.#last;
    this.#last = lastFrames(chunk);
    this.#unread.bytes = chunk;
    this.#meter?.unread(text);
    return this.#unread;
  }

  finish(): RelayStep {
    const { frames, isTorn } = readRest(this.#splitter, this.#dialect);
    this.#readUnread();
    // Rewritten, with the border that was missing.
    const bytes = this.#writer.write(frames);
    const step = this.#pass({ bytes, frames: frames.map((frame) => ({ ...frame, end: bytes.length })) });
    if (step.broken !== undefined) return step;
    return this.#end.isReached ? { ...step, isTorn } : { bytes: noBytes, broken: { kind: 'cut' } };
  }

  fail(report: ErrorReport): Buffer {
    const last = this.#last === undefined ? this.#lastRead : readFrames(this.#last).at(-1);
    return this.#writer.write([this.#dialect.encodeStreamError(report, last)]);
  }

  /** Returns a chunk that may be passed on unread, as latin1. Undefined for any other. */
  #unreadText(chunk: Buffer): string | undefined {
    if (!this.opened || this.#marks === undefined || !this.#splitter.isAtBorder) return undefined;
    // Comments keep a connection alive. They are not frames, so they cannot be the last one.
    if (chunk[0] === colon || !endsFrame(chunk)) return undefined;
    const text = chunk.toString('latin1');
    return text.endsWith(doneEnd) || this.#marks.test(text) ? undefined : text;
  }

  /** Skips what was passed on unread, which came after every frame that was read, and before all that comes now. */
  #readUnread(): void {
    if (this.#last === undefined) return;
    const beforeLast = this.#beforeLast;
    const frames = readFrames(this.#last);
    this.#lastRead = frames.at(-1);
    this.#beforeLast = undefined;
    this.#last = undefined;
    const end = frames.findLast((frame) => toClass(this.#dialect, frame) === 'end');
    if (end !== undefined && this.#end.closes(end)) {
      this.#end.close(end);
      this.hasClosed = true;
      return;
    }
    if (beforeLast !== undefined) this.#noteAll(readFrames(beforeLast));
    this.#noteAll(frames);
  }

  #noteAll(frames: readonly Frame[]): void {
    for (const frame of frames) this.#end.note(frame, toClass(this.#dialect, frame));
  }

  #pass({ bytes, frames }: Split): RelayStep {
    let before = 0;
    if (frames.length > 0) this.#readUnread();
    for (const frame of frames) {
      const kind = toClass(this.#dialect, frame);
      if (kind === 'error') {
        const error = this.#dialect.decodeStreamError(frame);
        const event = shownError(this.#dialect, frame, () => bytes.subarray(before, frame.end));
        const passed = frames.slice(0, frames.indexOf(frame));
        return {
          bytes: this.#edited(bytes.subarray(0, before), passed),
          broken: { kind: 'error', error, bytes: event },
        };
      }
      if (kind === 'content' && !this.opened) refuseUnreadable(this.#dialect, frame);
      this.#meter?.frame(frame);
      if (kind === 'content' || kind === 'end') this.opened = true;
      this.#end.note(frame, kind);
      if (kind === 'end' || kind === 'usage') this.hasClosed = this.#end.isFinal;
      before = frame.end;
      this.#lastRead = frame;
    }
    return { bytes: this.#edited(bytes, frames) };
  }

  #edited(bytes: Buffer, frames: readonly PlacedFrame[]): Buffer {
    return this.#editor === undefined ? bytes : editedBytes(this.#editor, { bytes, frames }, this.#writer);
  }
}
