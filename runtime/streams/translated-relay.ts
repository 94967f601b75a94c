import type { Dialect, Frame, StreamDecoder, StreamEncoder } from '../../plugins/sdk/dialect/dialect.ts';
import type { Framing, Splitter } from '../../plugins/sdk/framings/framing.ts';
import type { AnswerEvent, WireError } from '../../schema/conversation/answer.ts';
import type { ErrorReport } from '../../schema/errors/errors.ts';
import type { UsageMeter } from '../usage/usage-meter.ts';
import { ChoiceEnds } from './choice-ends.ts';
import type { ClientFrames } from './client-frames.ts';
import { errorFrames } from './error-frames.ts';
import type { FrameEdits } from './frame-edits.ts';
import { framesAfterEnd, readRest, restAfterEnd } from './read-rest.ts';
import { noBytes, type RelayStep, type StreamRelay } from './stream-relay.ts';
import { isBlank } from './to-class.ts';

export interface RelayParts {
  readonly upstream: Dialect;
  readonly client: Dialect;
  /** The upstream's framing. */
  readonly framing: Framing;
  readonly frames: ClientFrames;
  readonly decoder: StreamDecoder;
  readonly encoder: StreamEncoder;
  /** Absent if nothing consumes usage. */
  readonly meter?: UsageMeter | undefined;
  /** Changes to the upstream's frames before anything else reads them. Absent if none changes. */
  readonly edits?: FrameEdits | undefined;
}

/** Frames for the client, and why the answer ends after them: a cut, or an error with the frames that report it. */
interface Translated {
  readonly out: Frame[];
  readonly broken?: { readonly kind: 'cut' } | ReportedError;
}

interface ReportedError {
  readonly kind: 'error';
  readonly error: WireError;
  readonly frames: readonly Frame[];
}

/** Translates between two dialects: frames are decoded to events, which are encoded in the client's dialect. */
export class TranslatedRelay implements StreamRelay {
  readonly #parts: RelayParts;
  readonly #splitter: Splitter;
  readonly #choices = new ChoiceEnds();
  opened = false;
  isClosed = false;

  constructor(parts: RelayParts) {
    this.#parts = parts;
    this.#splitter = parts.framing.createSplitter();
  }

  get begun(): boolean {
    return this.opened;
  }

  get hasClosed(): boolean {
    return this.isClosed;
  }

  get heldBytes(): number {
    return this.#splitter.heldBytes;
  }

  begin(frame: Frame): Buffer {
    return this.#parts.frames.write([frame]);
  }

  push(chunk: Buffer): RelayStep {
    if (!this.isClosed) return this.#toStep(this.#frames(this.#splitter.push(chunk).frames));
    // What comes after the last frame is only checked for being torn, because the client's stream has ended as well.
    framesAfterEnd(this.#splitter, chunk);
    return { bytes: noBytes };
  }

  finish(): RelayStep {
    const { upstream, decoder, encoder, frames } = this.#parts;
    if (this.isClosed) return { bytes: frames.end(), isTorn: restAfterEnd(this.#splitter, upstream).isTorn };
    const { frames: rest, isTorn } = readRest(this.#splitter, upstream);
    const [frame] = this.#edited(rest);
    if (frame !== undefined && upstream.classify(frame) === 'error') return this.#toStep(this.#frames([frame]));
    const last = [...(frame === undefined ? [] : decoder.push(frame)), ...decoder.end()];
    const released = last.filter((event) => event.kind !== 'error');
    const { out, broken } = this.#events(released);
    // An error that a decoder finds at the end is a cut, not an error reported by the upstream. The encoder does not receive it,
    // because it could write no other error afterwards.
    if (released.length < last.length || broken !== undefined || !this.#choices.areWhole)
      return this.#toStep({ out, broken: { kind: 'cut' } });
    this.opened = true;
    if (!this.isClosed) out.push(...encoder.end());
    return { bytes: Buffer.concat([frames.write(out), frames.end()]), isTorn };
  }

  fail(report: ErrorReport): Buffer {
    return this.#parts.frames.fail(errorFrames(report, this.#parts));
  }

  #frames(frames: readonly Frame[]): Translated {
    const { upstream, decoder } = this.#parts;
    const out: Frame[] = [];
    for (const frame of this.#edited(frames)) {
      if (this.isClosed) break;
      const kind = upstream.classify(frame);
      if (kind === 'error') return { out, broken: this.#reported(upstream.decodeStreamError(frame)) };
      if (isBlank(frame)) continue;
      const { out: more, broken } = this.#events(decoder.push(frame));
      for (const each of more) out.push(each);
      if (broken !== undefined) return { out, broken };
      // Only now, because a first frame that cannot be read leaves the stream unopened, so that another attempt can be made.
      if (kind === 'content' || kind === 'end') this.opened = true;
    }
    return { out };
  }

  #edited(frames: readonly Frame[]): readonly Frame[] {
    const { edits } = this.#parts;
    return edits === undefined ? frames : frames.map((frame) => edits.frame(frame));
  }

  #toStep({ out, broken }: Translated): RelayStep {
    const { frames } = this.#parts;
    const bytes = out.length === 0 ? noBytes : frames.write(out);
    if (broken === undefined) return { bytes };
    if (broken.kind === 'cut') return { bytes, broken };
    const { error } = broken;
    const last = broken.frames.length === 0 ? noBytes : frames.fail(broken.frames);
    return { bytes, broken: { kind: 'error', error, bytes: last } };
  }

  #events(events: readonly AnswerEvent[]): Translated {
    const { encoder, meter } = this.#parts;
    const out: Frame[] = [];
    for (const event of events) {
      if (event.kind === 'error') return { out, broken: this.#reported(event.error) };
      meter?.event(event);
      if (event.kind === 'end') {
        if (!this.#choices.areWhole) return { out, broken: { kind: 'cut' } };
        this.isClosed = true;
        // A decoder may see an end in a frame that was not classified as one.
        this.opened = true;
      }
      this.#choices.note(event);
      for (const frame of encoder.push(event)) out.push(frame);
    }
    return { out };
  }

  /** Returns the upstream's error, written in the client's dialect. */
  #reported(error: WireError): ReportedError {
    return { kind: 'error', error, frames: this.#parts.encoder.push({ kind: 'error', error }) };
  }
}
