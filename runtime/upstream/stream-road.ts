import type { Dialect, FrameClass, StreamDecoder, StreamEncoder } from '../../plugins/sdk/dialect.ts';
import type { StreamStage } from '../../plugins/sdk/hooks.ts';
import type { AnswerEvent, WireError } from '../../schema/conversation.ts';
import type { ErrorReport } from '../../schema/errors.ts';
import { type Split, SseSplitter } from './sse.ts';
import { createStageChain, type StageChain } from './stage-chain.ts';

/** Between which dialects a stream goes, and what is done to it on the way. */
export interface StreamRoad {
  readonly upstream: Dialect;
  readonly client: Dialect;
  /** Absent where both speak the same dialect: bytes go on as received. */
  readonly translate?: { readonly decoder: StreamDecoder; readonly encoder: StreamEncoder };
  readonly stages?: readonly StreamStage[];
}

/** What a piece of the upstream's stream comes to. */
export interface RoadStep {
  /** For the client; may be empty. */
  readonly bytes: Buffer;
  /** The upstream reported an error after those bytes; nothing more is to be pushed. */
  readonly error?: WireError;
  /** The error's own event, where the client can read it as it is. */
  readonly errorBytes?: Buffer;
}

const nothing: Buffer = Buffer.alloc(0);
const frameEnd: Buffer = Buffer.from('\n\n');

/** A stream's bytes on their way: frames are told apart, classified, translated where the dialects differ. */
export class RoadWalk {
  readonly #road: StreamRoad;
  readonly #splitter = new SseSplitter();
  readonly #chain: StageChain | undefined;
  #opened = false;
  #ended = false;

  constructor(road: StreamRoad) {
    this.#road = road;
    this.#chain = road.stages === undefined || road.stages.length === 0 ? undefined : createStageChain(road.stages);
  }

  /** The answer has begun, or is whole without any content. */
  get opened(): boolean {
    return this.#opened;
  }

  /** The answer is whole. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Bytes of a frame that is not complete yet. */
  get heldBytes(): number {
    return this.#splitter.heldBytes;
  }

  push(chunk: Buffer): RoadStep {
    return this.#staged(this.#walk(this.#splitter.push(chunk)));
  }

  /** The upstream has said all it had to say. An answer that is not whole leaves `ended` false, or has an error. */
  finish(): RoadStep {
    const rest = this.#splitter.rest();
    const [frame] = rest.frames;
    const kind = frame === undefined ? undefined : this.#road.upstream.classify(frame);
    // A torn frame counts only where it is all that matters: the last one, without its empty line.
    if (!this.#ended && kind !== 'end' && kind !== 'error') return { bytes: nothing };
    const step = this.#walk(rest);
    const { translate } = this.#road;
    if (step.errorBytes !== undefined) return { ...step, errorBytes: Buffer.concat([step.errorBytes, frameEnd]) };
    if (step.error !== undefined) return step;
    if (translate === undefined) return this.#closed(step.bytes);
    const last = this.#translated(translate.decoder.end(), translate.encoder);
    if (last.error !== undefined) return { bytes: step.bytes, error: last.error };
    return this.#closed(Buffer.concat([step.bytes, Buffer.from(last.text + translate.encoder.end())]));
  }

  /** The event that tells the client of a failure. */
  fail(report: ErrorReport): Buffer {
    const { translate, client } = this.#road;
    return Buffer.from(translate === undefined ? client.encodeStreamError(report) : translate.encoder.fail(report));
  }

  #closed(bytes: Buffer): RoadStep {
    const chain = this.#chain;
    return { bytes: chain === undefined ? bytes : Buffer.concat([chain.push(bytes), chain.end()]) };
  }

  #staged(step: RoadStep): RoadStep {
    return this.#chain === undefined ? step : { ...step, bytes: this.#chain.push(step.bytes) };
  }

  #walk(split: Split): RoadStep {
    return this.#road.translate === undefined ? this.#passed(split) : this.#decoded(split, this.#road.translate);
  }

  #passed({ bytes, frames }: Split): RoadStep {
    let before = 0;
    for (const frame of frames) {
      const kind = this.#road.upstream.classify(frame);
      if (kind === 'error') {
        const error = this.#road.upstream.decodeStreamError(frame);
        return { bytes: bytes.subarray(0, before), error, errorBytes: bytes.subarray(before, frame.end) };
      }
      this.#note(kind);
      before = frame.end;
    }
    return { bytes };
  }

  #decoded({ frames }: Split, { decoder, encoder }: NonNullable<StreamRoad['translate']>): RoadStep {
    let text = '';
    for (const frame of frames) {
      const kind = this.#road.upstream.classify(frame);
      if (kind === 'error') return { bytes: Buffer.from(text), error: this.#road.upstream.decodeStreamError(frame) };
      const step = this.#translated(decoder.push(frame), encoder);
      text += step.text;
      if (step.error !== undefined) return { bytes: Buffer.from(text), error: step.error };
      this.#note(kind);
    }
    return { bytes: text === '' ? nothing : Buffer.from(text) };
  }

  #translated(
    events: readonly AnswerEvent[],
    encoder: StreamEncoder,
  ): { readonly text: string; readonly error?: WireError } {
    let text = '';
    for (const event of events) {
      if (event.kind === 'error') return { text, error: event.error };
      text += encoder.push(event);
    }
    return { text };
  }

  #note(kind: FrameClass): void {
    if (kind === 'content' || kind === 'end') this.#opened = true;
    if (kind === 'end') this.#ended = true;
  }
}
