import type { StreamBody } from '../../../plugins/sdk/http/http.ts';
import { PassedStream } from '../../../plugins/sdk/http/passed-stream.ts';

/** A stream that is sent as it arrives, and whose bytes are recorded up to a limit. */
export class RecordingStream extends PassedStream {
  readonly #take: (bytes: number) => boolean;
  #chunks: Buffer[] | undefined = [];

  /** `take` reserves memory. Once it returns false, nothing is recorded. */
  constructor(body: StreamBody, take: (bytes: number) => boolean) {
    super(body);
    this.#take = take;
  }

  /** Returns the bytes that the client received. Undefined if there were too many. */
  get bytes(): Buffer | undefined {
    return this.#chunks && Buffer.concat(this.#chunks);
  }

  override write(chunk: Uint8Array): boolean {
    // Copied, because the writer of the chunk may reuse its memory.
    if (this.#chunks !== undefined && this.#take(chunk.length)) this.#chunks.push(Buffer.from(chunk));
    else this.#chunks = undefined;
    return super.write(chunk);
  }
}
