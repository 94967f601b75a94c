import type { AnswerCodec, Dialect, StreamDecoder, StreamEncoder } from '../../../plugins/sdk/dialect/dialect.ts';
import type { FrameWriter, Framing, Splitter } from '../../../plugins/sdk/framings/framing.ts';
import type { AnswerEvent } from '../../../schema/conversation/answer.ts';
import type { Usage } from '../../../schema/conversation/conversation.ts';
import type { ErrorReport } from '../../../schema/errors/errors.ts';
import { errorFrames } from '../../streams/error-frames.ts';
import type { StreamSource } from '../call/stream-source.ts';
import { AnswerSoFar } from './answer-so-far.ts';
import { RestEvents } from './rest-events.ts';

export interface ClientWriterParts {
  readonly dialect: Dialect;
  readonly codec: AnswerCodec;
  /** The client's framing. */
  readonly framing: Framing;
}

/** A further stream that continues the first. */
interface Rest {
  readonly splitter: Splitter;
  readonly decoder: StreamDecoder;
  readonly events: RestEvents;
}

/**
 * Writes the rest of a stream whose beginning the client has received, as one answer with one id and one end. It reads both
 * streams as the client does, in its dialect, so that all stages have already been applied to them.
 */
export class ClientWriter {
  readonly said: AnswerSoFar = new AnswerSoFar();
  readonly #parts: ClientWriterParts;
  readonly #encoder: StreamEncoder;
  readonly #writer: FrameWriter;
  #rest: Rest | undefined;

  /** Throws if what the client has received cannot be read. */
  constructor(source: StreamSource, received: Buffer, parts: ClientWriterParts) {
    const { codec, framing } = parts;
    this.#parts = parts;
    this.#encoder = codec.streamEncoder(source.encodeOptions());
    this.#writer = framing.createWriter();
    const decoder = codec.streamDecoder(source.decodeOptions());
    for (const frame of framing.createSplitter().push(received).frames) {
      this.#writer.write([frame]);
      const events = decoder.push(frame);
      for (const event of events) this.#follow(event);
      this.said.isHeld = events.length === 0 && (this.said.isHeld || parts.dialect.classify(frame) === 'content');
    }
  }

  /** Called when a stream continues the answer. */
  begin(source: StreamSource): void {
    const { codec, framing } = this.#parts;
    const splitter = framing.createSplitter();
    this.#rest = { splitter, decoder: codec.streamDecoder(source.decodeOptions()), events: new RestEvents(this.said) };
  }

  /** Returns the client's bytes for a chunk of that stream, without the end of the answer. */
  write(chunk: Uint8Array): Buffer {
    const rest = this.#rest;
    if (rest === undefined) throw new RangeError('No stream is being continued.');
    const events = rest.splitter.push(Buffer.from(chunk)).frames.flatMap((frame) => rest.decoder.push(frame));
    return this.#events(events);
  }

  /** Returns the remaining bytes of the stream when it has ended well. */
  finish(): Buffer {
    return this.#events(this.#rest?.decoder.end() ?? []);
  }

  /** Returns the end of the answer, with the usage of all of it. */
  end(usage: Usage): Buffer {
    const frames = [
      ...this.#encoder.push({ kind: 'usage', usage }),
      ...this.#encoder.push({ kind: 'end' }),
      ...this.#encoder.end(),
    ];
    return Buffer.concat([this.#writer.write(frames), this.#writer.end()]);
  }

  /** Returns the end of an answer that has as many tokens as its request allows. */
  endByLength(usage: Usage): Buffer {
    const frames = this.#encoder.push({ kind: 'finish', choice: 0, finish: { reason: 'length' } });
    return Buffer.concat([this.#writer.write(frames), this.end(usage)]);
  }

  /** Ends the answer with an error. */
  fail(report: ErrorReport): Buffer {
    const { dialect: client } = this.#parts;
    const frames = errorFrames(report, { client, encoder: this.#encoder });
    return Buffer.concat([this.#writer.write(frames), this.#writer.end()]);
  }

  /** The encoder receives what was already sent, so that it continues from there. */
  #follow(event: AnswerEvent): void {
    this.said.note(event);
    this.#encoder.push(event);
  }

  #events(events: readonly AnswerEvent[]): Buffer {
    const frames = events.flatMap((event) => {
      const given = event.kind === 'end' ? undefined : this.#rest?.events.map(event);
      if (given === undefined) return [];
      this.said.note(given);
      return this.#encoder.push(given);
    });
    return this.#writer.write(frames);
  }
}
