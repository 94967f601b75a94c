import type { ErrorReport } from '../../../../schema/errors.ts';
import type { Sink, StreamBody, StreamEnd } from '../../../sdk/http.ts';

/** A stream that is sent as it arrives, and whose beginning is remembered. */
export class RecordedBody implements StreamBody, Sink {
  readonly kind = 'stream';
  readonly #body: StreamBody;
  readonly #most: number;
  readonly #chunks: Uint8Array[] = [];
  #length = 0;
  #sink: Sink | undefined;

  constructor(body: StreamBody, most: number) {
    this.#body = body;
    this.#most = most;
  }

  /** What has been sent so far, and no more than what is to be remembered. */
  get bytes(): Uint8Array {
    return Buffer.concat(this.#chunks, this.#length);
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
    const room = this.#most - this.#length;
    if (room > 0) {
      // A copy, since whoever wrote the chunk may use its memory again.
      const part = new Uint8Array(chunk.subarray(0, room));
      this.#chunks.push(part);
      this.#length += part.length;
    }
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
