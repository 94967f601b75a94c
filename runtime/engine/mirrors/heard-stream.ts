import type { StreamBody } from '../../../plugins/sdk/http/http.ts';
import { PassedStream } from '../../../plugins/sdk/http/passed-stream.ts';

/** A stream that is sent as it arrives, whose bytes are remembered up to a bound. */
export class HeardStream extends PassedStream {
  readonly #take: (bytes: number) => boolean;
  #chunks: Buffer[] | undefined = [];

  /** `take` reserves memory; once it returns false nothing is remembered. */
  constructor(body: StreamBody, take: (bytes: number) => boolean) {
    super(body);
    this.#take = take;
  }

  /** The bytes that its client was given; undefined if they were too many. */
  get bytes(): Buffer | undefined {
    return this.#chunks && Buffer.concat(this.#chunks);
  }

  override write(chunk: Uint8Array): boolean {
    // A copy, since whoever wrote the chunk may use its memory again.
    if (this.#chunks !== undefined && this.#take(chunk.length)) this.#chunks.push(Buffer.from(chunk));
    else this.#chunks = undefined;
    return super.write(chunk);
  }
}
