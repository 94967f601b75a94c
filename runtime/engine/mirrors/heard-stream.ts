import type { Sink, StreamBody, StreamEnd } from '../../../plugins/sdk/http/http.ts';
import type { ErrorReport } from '../../../schema/errors/errors.ts';

/** A stream that is sent as it arrives, whose bytes are remembered up to a bound. */
export class HeardStream implements StreamBody, Sink {
  readonly kind = 'stream';
  readonly #body: StreamBody;
  readonly #take: (bytes: number) => boolean;
  #chunks: Buffer[] | undefined = [];
  #sink: Sink | undefined;

  /** `take` reserves memory; once it returns false nothing is remembered. */
  constructor(body: StreamBody, take: (bytes: number) => boolean) {
    this.#body = body;
    this.#take = take;
  }

  /** The bytes that its client was given; undefined if they were too many. */
  get bytes(): Buffer | undefined {
    return this.#chunks && Buffer.concat(this.#chunks);
  }

  start(sink: Sink): void {
    this.#sink = sink;
    this.#body.start(this);
  }

  discard(): void {
    this.#body.discard();
  }

  onEnd(listener: (end: StreamEnd) => void): void {
    this.#body.onEnd(listener);
  }

  write(chunk: Uint8Array): boolean {
    // A copy, since whoever wrote the chunk may use its memory again.
    if (this.#chunks !== undefined && this.#take(chunk.length)) this.#chunks.push(Buffer.from(chunk));
    else this.#chunks = undefined;
    return this.#sink?.write(chunk) === true;
  }

  onDrain(resume: () => void): void {
    this.#sink?.onDrain(resume);
  }

  end(): void {
    this.#sink?.end();
  }

  fail(error: ErrorReport): void {
    this.#sink?.fail(error);
  }
}
