import { HeldMemory, type TakeMemory } from '../../upstream/pool/held-memory.ts';

/** The longest beginning of a stream that is kept to go on with it, in bytes as its client got them. */
const maxBytes = 4 * 1024 * 1024;

/** The size of a chunk beside its bytes. */
const chunkBytes = 100;

/** The bytes that a client has got of a stream, as long as they are not too many. */
export class RecordedBytes {
  readonly #memory: HeldMemory;
  /** Absent once there is too much of it. */
  #chunks: Uint8Array[] | undefined = [];
  #size = 0;

  constructor(take: TakeMemory | undefined) {
    this.#memory = new HeldMemory(take);
  }

  add(chunk: Uint8Array): void {
    if (this.#chunks === undefined) return;
    this.#size += chunk.length + chunkBytes;
    if (this.#size > maxBytes || !this.#memory.admits(this.#size)) this.#chunks = undefined;
    // A copy, since whoever wrote the chunk may use its memory again.
    else this.#chunks.push(new Uint8Array(chunk));
  }

  /** All of it, and nothing is kept any longer; undefined if it was too much. */
  take(): Buffer | undefined {
    const chunks = this.#chunks;
    this.#chunks = undefined;
    return chunks && Buffer.concat(chunks);
  }
}
