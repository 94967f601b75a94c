import type { Dialect, FrameClass, StreamDecoder, StreamEncoder } from '../../plugins/sdk/dialect.ts';
import type { StreamStage } from '../../plugins/sdk/hooks.ts';
import type { AnswerEvent, WireError } from '../../schema/conversation.ts';
import type { ErrorReport } from '../../schema/errors.ts';
import { type PlacedFrame, type Split, SseSplitter } from './sse.ts';
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

  /** The upstream has said all it had to say; an answer that is not whole has a step with an error, or `ended` false. */
  finish(): RoadStep {
    const rest = this.#walk(this.#splitter.rest());
    if (rest.error !== undefined || !this.#ended) return rest.error === undefined ? { bytes: nothing } : rest;
    const { translate } = this.#road;
    if (translate === undefined) return this.#closed(rest.bytes);
    const last = this.#translated(translate.decoder.end(), translate.encoder);
    const text = last.error === undefined ? last.text + translate.encoder.end() : last.text;
    const bytes = Buffer.concat([rest.bytes, Buffer.from(text)]);
    return last.error === undefined ? this.#closed(bytes) : { bytes, error: last.error };
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
      if (this.#note(frame) === 'error') {
        const event = bytes.subarray(before, frame.end);
        const isComplete = event.at(-1) === 10 || event.at(-1) === 13;
        return {
          bytes: bytes.subarray(0, before),
          error: this.#road.upstream.decodeStreamError(frame),
          errorBytes: isComplete ? event : Buffer.concat([event, frameEnd]),
        };
      }
      before = frame.end;
    }
    return { bytes };
  }

  #decoded({ frames }: Split, { decoder, encoder }: NonNullable<StreamRoad['translate']>): RoadStep {
    let text = '';
    for (const frame of frames) {
      if (this.#note(frame) === 'error')
        return { bytes: Buffer.from(text), error: this.#road.upstream.decodeStreamError(frame) };
      const step = this.#translated(decoder.push(frame), encoder);
      text += step.text;
      if (step.error !== undefined) return { bytes: Buffer.from(text), error: step.error };
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

  #note(frame: PlacedFrame): FrameClass {
    const kind = this.#road.upstream.classify(frame);
    if (kind === 'content' || kind === 'end') this.#opened = true;
    if (kind === 'end') this.#ended = true;
    return kind;
  }
}
