import type { StreamBody } from '../../../sdk/http/http.ts';
import { PassedStream } from '../../kernel/requests/passed-stream.ts';

/** A stream that is sent as it arrives, and whose beginning is remembered. */
export class RecordedBody extends PassedStream {
  readonly #most: number;
  readonly #chunks: Uint8Array[] = [];
  #length = 0;

  constructor(body: StreamBody, most: number) {
    super(body);
    this.#most = most;
  }

  /** What has been sent so far, and no more than what is to be remembered. */
  get bytes(): Uint8Array {
    return Buffer.concat(this.#chunks, this.#length);
  }

  override write(chunk: Uint8Array): boolean {
    const room = this.#most - this.#length;
    if (room > 0) {
      // A copy, since whoever wrote the chunk may use its memory again.
      const part = new Uint8Array(chunk.subarray(0, room));
      this.#chunks.push(part);
      this.#length += part.length;
    }
    return super.write(chunk);
  }
}
