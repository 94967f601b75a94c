import type { Dialect, StreamDecoder, StreamEncoder } from '../../plugins/sdk/dialect.ts';
import type { AnswerEvent, WireError } from '../../schema/conversation.ts';
import type { ErrorReport } from '../../schema/errors.ts';
import { type PlacedFrame, SseSplitter } from './sse.ts';
import { type Breakage, noBytes, type RelayStep, type StreamRelay } from './stream-relay.ts';

interface RelayParts {
  readonly upstream: Dialect;
  readonly decoder: StreamDecoder;
  readonly encoder: StreamEncoder;
}

interface Translated {
  readonly text: string;
  readonly broken?: Breakage;
}

const toStep = ({ text, broken }: Translated): RelayStep => {
  const bytes = text === '' ? noBytes : Buffer.from(text);
  return broken === undefined ? { bytes } : { bytes, broken };
};

/** Translates between two dialects: frames are decoded to events, which are encoded in the client's dialect. */
export class TranslatedRelay implements StreamRelay {
  readonly #parts: RelayParts;
  readonly #splitter = new SseSplitter();
  /** The choices that have begun, and whether each has finished. */
  readonly #choices = new Map<number, boolean>();
  opened = false;
  isClosed = false;

  constructor(parts: RelayParts) {
    this.#parts = parts;
  }

  get heldBytes(): number {
    return this.#splitter.heldBytes;
  }

  push(chunk: Buffer): RelayStep {
    return toStep(this.#frames(this.#splitter.push(chunk).frames));
  }

  finish(): RelayStep {
    if (this.isClosed) return { bytes: noBytes };
    const { upstream, decoder, encoder } = this.#parts;
    const [frame] = this.#splitter.rest().frames;
    const kind = frame === undefined ? undefined : upstream.classify(frame);
    if (frame !== undefined && kind === 'error') return toStep(this.#frames([frame]));
    // Many providers omit the empty line after their last frame; content without one was cut off.
    const rest = frame === undefined || kind === 'content' ? [] : decoder.push(frame);
    const last = [...rest, ...decoder.end()];
    const told = last.filter((event) => event.kind !== 'error');
    const { text, broken } = this.#events(told);
    // An error that a decoder finds at the end is a cut, not an error reported by the upstream. It is not given to the
    // encoder, which could write no other error after it.
    if (told.length < last.length || broken !== undefined || !this.#isWhole())
      return toStep({ text, broken: { kind: 'cut' } });
    this.opened = true;
    return toStep({ text: text + (this.isClosed ? '' : encoder.end()) });
  }

  fail(report: ErrorReport): Buffer {
    return Buffer.from(this.#parts.encoder.fail(report));
  }

  #frames(frames: readonly PlacedFrame[]): Translated {
    const { upstream, decoder } = this.#parts;
    let text = '';
    for (const frame of frames) {
      if (this.isClosed) break;
      const kind = upstream.classify(frame);
      if (kind === 'error') return { text, broken: this.#reported(upstream.decodeStreamError(frame)) };
      const { text: more, broken } = this.#events(decoder.push(frame));
      text += more;
      if (broken !== undefined) return { text, broken };
      // Only now: a first frame that cannot be read leaves the stream unopened, so that another attempt can be made.
      if (kind === 'content' || kind === 'end') this.opened = true;
    }
    return { text };
  }

  #events(events: readonly AnswerEvent[]): Translated {
    const { encoder } = this.#parts;
    let text = '';
    for (const event of events) {
      if (event.kind === 'error') return { text, broken: this.#reported(event.error) };
      if (event.kind === 'end') {
        if (!this.#isWhole()) return { text, broken: { kind: 'cut' } };
        this.isClosed = true;
      }
      if ('choice' in event)
        this.#choices.set(event.choice, event.kind === 'finish' || this.#choices.get(event.choice) === true);
      text += encoder.push(event);
    }
    return { text };
  }

  /** Whether every choice that began has finished. */
  #isWhole(): boolean {
    return this.#choices.size > 0 && [...this.#choices.values()].every(Boolean);
  }

  /** The upstream's error, written in the client's dialect. */
  #reported(error: WireError): Breakage {
    return { kind: 'error', error, bytes: Buffer.from(this.#parts.encoder.push({ kind: 'error', error })) };
  }
}
