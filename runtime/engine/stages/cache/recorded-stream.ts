import type { StreamBody } from '../../../../plugins/sdk/http/http.ts';
import { PassedStream } from '../../../../plugins/sdk/http/passed-stream.ts';
import type { ErrorReport } from '../../../../schema/errors/errors.ts';
import type { ByteBudget } from '../../plugin-caches/byte-budget.ts';

export interface RecordingOptions {
  /** The longest recording, in bytes. */
  readonly max: number;
  /** Shared by all streams that are being recorded. */
  readonly budget: ByteBudget;
  /** Called at the end of a stream that ended well and was not too long. */
  readonly recorded: (bytes: Buffer) => void;
}

/** The overhead of a remembered chunk, in bytes. */
const chunkBytes = 100;

/** A stream that is sent as it arrives, and recorded until its end. */
export class RecordedStream extends PassedStream {
  readonly #options: RecordingOptions;
  /** Absent once it is clear that nothing will be stored. */
  #chunks: Uint8Array[] | undefined = [];
  #length = 0;
  #held = 0;
  #isSent = false;
  #isComplete = false;

  constructor(body: StreamBody, options: RecordingOptions) {
    super(body);
    this.#options = options;
    body.onEnd((end) => {
      if (end !== 'complete') return this.#forget();
      this.#isComplete = true;
      this.#finish();
    });
  }

  override discard(): void {
    super.discard();
    this.#forget();
  }

  override write(chunk: Uint8Array): boolean {
    this.#record(chunk);
    return super.write(chunk);
  }

  override end(): void {
    super.end();
    this.#isSent = true;
    this.#finish();
  }

  override fail(error: ErrorReport): void {
    this.#forget();
    super.fail(error);
  }

  #record(chunk: Uint8Array): void {
    if (this.#chunks === undefined) return;
    const { max, budget } = this.#options;
    const bytes = chunk.length + chunkBytes;
    if (this.#length + chunk.length > max || !budget.take(bytes)) {
      this.#forget();
      return;
    }
    this.#held += bytes;
    this.#length += chunk.length;
    // Copied, because the writer of the chunk may reuse its memory.
    this.#chunks.push(new Uint8Array(chunk));
  }

  /** Called when the stream ends for its client and for its provider, in either order. */
  #finish(): void {
    const chunks = this.#chunks;
    if (!this.#isSent || !this.#isComplete || chunks === undefined) return;
    const bytes = Buffer.concat(chunks, this.#length);
    this.#forget();
    this.#options.recorded(bytes);
  }

  #forget(): void {
    this.#chunks = undefined;
    this.#options.budget.give(this.#held);
    this.#held = 0;
  }
}
