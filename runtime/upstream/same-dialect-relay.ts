import type { Dialect, Frame, FrameClass } from '../../plugins/sdk/dialect.ts';
import type { Split } from '../../plugins/sdk/framings/framing.ts';
import { SseSplitter, writeFrame } from '../../plugins/sdk/framings/sse.ts';
import type { ErrorReport } from '../../schema/errors.ts';
import { noBytes, type RelayStep, type StreamRelay } from './stream-relay.ts';

const frameEnd: Buffer = Buffer.from('\n\n');
const lf = 10;
const colon = 58;

/** Whether whole frames end where the bytes end. */
const endsFrame = (bytes: Buffer): boolean => bytes[bytes.length - 1] === lf && bytes[bytes.length - 2] === lf;

const framesOf = (chunk: Buffer): readonly Frame[] => new SseSplitter().push(chunk).frames;

/** Bytes of a chunk that may be kept as it is; of a larger one its end is copied, so that the rest can be collected. */
const keptBytes = 4096;

/** The last two frames of a chunk of whole frames, or all of a small one. */
const lastFrames = (chunk: Buffer): Buffer => {
  if (chunk.length <= keptBytes) return chunk;
  const last = chunk.lastIndexOf(frameEnd, chunk.length - frameEnd.length - 1);
  const beforeLast = last <= 0 ? -1 : chunk.lastIndexOf(frameEnd, last - 1);
  return Buffer.from(beforeLast === -1 ? chunk : chunk.subarray(beforeLast + frameEnd.length));
};

/**
 * Where both sides speak one dialect, bytes go on as received, in whole frames. Frames are looked at one by one until
 * the answer has begun. From then on a chunk of whole frames in which the dialect's error mark does not occur is passed
 * on unread; whether the answer was whole is seen at the end, in the last of them.
 */
export class SameDialectRelay implements StreamRelay {
  readonly #upstream: Dialect;
  readonly #client: Dialect;
  readonly #errorMark: Buffer | undefined;
  readonly #splitter = new SseSplitter();
  /** The one step of every chunk that is passed on unread: it is used up before the next one comes. */
  readonly #unread: { bytes: Buffer } = { bytes: noBytes };
  /** The frame that ended the answer, as far as frames were read; content after it takes it back. */
  #lastEnd: Frame | undefined;
  /** The last two chunks that were passed on unread, since then. */
  #last: Buffer | undefined;
  #beforeLast: Buffer | undefined;
  opened = false;

  constructor({ upstream, client }: { readonly upstream: Dialect; readonly client: Dialect }) {
    this.#upstream = upstream;
    this.#client = client;
    this.#errorMark = upstream.errorMark === undefined ? undefined : Buffer.from(upstream.errorMark);
  }

  get heldBytes(): number {
    return this.#splitter.heldBytes;
  }

  /** A dialect may have several frames that can end an answer; of those, its decoder knows the very last one. */
  get isClosed(): boolean {
    this.#readUnread();
    return this.#lastEnd !== undefined && this.#closes(this.#lastEnd);
  }

  push(chunk: Buffer): RelayStep {
    if (!this.#canPass(chunk)) return this.#pass(this.#splitter.push(chunk));
    this.#beforeLast = this.#last;
    this.#last = lastFrames(chunk);
    this.#unread.bytes = chunk;
    return this.#unread;
  }

  finish(): RelayStep {
    const rest = this.#splitter.rest();
    this.#readUnread();
    const [frame] = rest.frames;
    const kind = frame === undefined ? undefined : this.#upstream.classify(frame);
    // Many providers leave the empty line after their last frame out; any other frame without one was torn.
    if (kind !== 'end' && kind !== 'error') {
      if (this.#lastEnd === undefined) return { bytes: noBytes, broken: { kind: 'cut' } };
      return { bytes: kind === 'content' ? noBytes : rest.bytes };
    }
    const { bytes, broken } = this.#pass(rest);
    if (broken?.kind !== 'error') return { bytes };
    return { bytes, broken: { ...broken, bytes: Buffer.concat([broken.bytes, frameEnd]) } };
  }

  fail(report: ErrorReport): Buffer {
    return Buffer.from(writeFrame(this.#client.encodeStreamError(report)));
  }

  #canPass(chunk: Buffer): boolean {
    if (!this.opened || this.#errorMark === undefined || !this.#splitter.isAtBorder) return false;
    // Comments keep a connection alive, and are no frames that could be the last.
    return chunk[0] !== colon && endsFrame(chunk) && chunk.indexOf(this.#errorMark) === -1;
  }

  #closes(frame: Frame): boolean {
    const decoder = this.#upstream.conversation?.streamDecoder({ scope: '' });
    return decoder === undefined || decoder.push(frame).some(({ kind }) => kind === 'end');
  }

  /** What was passed on unread came after every frame that was read, and before all that comes now. */
  #readUnread(): void {
    if (this.#last === undefined) return;
    const beforeLast = this.#beforeLast;
    const frames = framesOf(this.#last);
    this.#beforeLast = undefined;
    this.#last = undefined;
    const end = frames.findLast((frame) => this.#upstream.classify(frame) === 'end');
    if (end !== undefined && this.#closes(end)) {
      this.#lastEnd = end;
      return;
    }
    if (beforeLast !== undefined) this.#noteAll(framesOf(beforeLast));
    this.#noteAll(frames);
  }

  #noteAll(frames: readonly Frame[]): void {
    for (const frame of frames) this.#note(frame, this.#upstream.classify(frame));
  }

  /** Content takes an end back, since another choice goes on; but nothing goes on after the very last frame. */
  #note(frame: Frame, kind: FrameClass): void {
    if (kind === 'end') {
      if (this.#lastEnd === undefined || !this.#closes(this.#lastEnd)) this.#lastEnd = frame;
    } else if (kind === 'content' && this.#lastEnd !== undefined && !this.#closes(this.#lastEnd))
      this.#lastEnd = undefined;
  }

  #pass({ bytes, frames }: Split): RelayStep {
    let before = 0;
    if (frames.length > 0) this.#readUnread();
    for (const frame of frames) {
      const kind = this.#upstream.classify(frame);
      if (kind === 'error') {
        const error = this.#upstream.decodeStreamError(frame);
        const event = bytes.subarray(before, frame.end);
        return { bytes: bytes.subarray(0, before), broken: { kind: 'error', error, bytes: event } };
      }
      if (kind === 'content' || kind === 'end') this.opened = true;
      this.#note(frame, kind);
      before = frame.end;
    }
    return { bytes };
  }
}
