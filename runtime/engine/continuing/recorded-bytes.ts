import { HeldMemory, type TakeMemory } from '../../upstream/held-memory.ts';

/** The longest beginning of a stream that is kept to go on with it, in bytes as its client got them. */
const maxBytes = 4 * 1024 * 1024;

/** The room with which the record of a stream begins: several chunks. */
const firstBytes = 4 * 1024;

/** The bytes that a client has got of a stream, as long as they are not too many. */
export class RecordedBytes {
  readonly #memory: HeldMemory;
  /** With room for more; absent once there is too much of it. */
  #bytes: Buffer | undefined = Buffer.alloc(0);
  #size = 0;

  constructor(take: TakeMemory | undefined) {
    this.#memory = new HeldMemory(take);
  }

  /** Copies a chunk, since whoever wrote it may use its memory again. */
  add(chunk: Uint8Array): void {
    const size = this.#size + chunk.length;
    const bytes = this.#withRoom(size);
    bytes?.set(chunk, this.#size);
    this.#bytes = bytes;
    this.#size = size;
  }

  /** All of it, and nothing is kept any longer; undefined if it was too much. */
  take(): Buffer | undefined {
    const bytes = this.#bytes;
    this.#bytes = undefined;
    return bytes?.subarray(0, this.#size);
  }

  /** The bytes so far, with room for as many in all; undefined if those are too many. */
  #withRoom(size: number): Buffer | undefined {
    const before = this.#bytes;
    if (before === undefined || size <= before.length) return before;
    const room = Math.min(maxBytes, Math.max(firstBytes, size, 2 * before.length));
    if (size > room || !this.#memory.admits(room)) return undefined;
    const grown = Buffer.allocUnsafeSlow(room);
    before.copy(grown, 0, 0, this.#size);
    return grown;
  }
}
