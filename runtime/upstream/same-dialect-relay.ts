import type { Dialect, Frame } from '../../plugins/sdk/dialect.ts';
import type { ErrorReport } from '../../schema/errors.ts';
import { type Split, SseSplitter } from './sse.ts';
import { noBytes, type RelayStep, type StreamRelay } from './stream-relay.ts';

const frameEnd: Buffer = Buffer.from('\n\n');

/** The translation where both sides speak one dialect: frames are looked at, and bytes go on as received, in whole frames. */
export class SameDialectRelay implements StreamRelay {
  readonly #upstream: Dialect;
  readonly #client: Dialect;
  readonly #splitter = new SseSplitter();
  #lastEnd: Frame | undefined;
  opened = false;

  constructor({ upstream, client }: { readonly upstream: Dialect; readonly client: Dialect }) {
    this.#upstream = upstream;
    this.#client = client;
  }

  get heldBytes(): number {
    return this.#splitter.heldBytes;
  }

  /** A dialect may have several frames that can end an answer; of those, its decoder knows the very last one. */
  get isClosed(): boolean {
    const last = this.#lastEnd;
    if (last === undefined) return false;
    const decoder = this.#upstream.conversation?.streamDecoder();
    return decoder === undefined || decoder.push(last).some(({ kind }) => kind === 'end');
  }

  push(chunk: Buffer): RelayStep {
    return this.#pass(this.#splitter.push(chunk));
  }

  finish(): RelayStep {
    const rest = this.#splitter.rest();
    const [frame] = rest.frames;
    const kind = frame === undefined ? undefined : this.#upstream.classify(frame);
    // Many providers leave the empty line after their last frame out; any other frame without one was torn.
    if (kind !== 'end' && kind !== 'error')
      return this.#lastEnd === undefined ? { bytes: noBytes, broken: { kind: 'cut' } } : { bytes: rest.bytes };
    const { bytes, broken } = this.#pass(rest);
    if (broken?.kind !== 'error') return { bytes };
    return { bytes, broken: { ...broken, bytes: Buffer.concat([broken.bytes, frameEnd]) } };
  }

  fail(report: ErrorReport): Buffer {
    return Buffer.from(this.#client.encodeStreamError(report));
  }

  #pass({ bytes, frames }: Split): RelayStep {
    let before = 0;
    for (const frame of frames) {
      switch (this.#upstream.classify(frame)) {
        case 'error': {
          const error = this.#upstream.decodeStreamError(frame);
          const event = bytes.subarray(before, frame.end);
          return { bytes: bytes.subarray(0, before), broken: { kind: 'error', error, bytes: event } };
        }
        case 'content':
          this.opened = true;
          break;
        case 'end':
          this.opened = true;
          this.#lastEnd = frame;
      }
      before = frame.end;
    }
    return { bytes };
  }
}
