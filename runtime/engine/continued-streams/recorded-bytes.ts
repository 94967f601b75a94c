import { HeldMemory, type TakeMemory } from '../../upstream/held-memory.ts';

/** The longest beginning of a stream that is kept in order to continue it, in bytes as its client received them. */
const maxBytes = 4 * 1024 * 1024;

/** The initial capacity of a stream's record: several chunks. */
const firstBytes = 4 * 1024;

/** The bytes of a stream that a client has received, up to a limit. */
export class RecordedBytes {
  readonly #memory: HeldMemory;
  /** Has spare capacity. Absent once the limit is exceeded. */
  #bytes: Buffer | undefined = Buffer.alloc(0);
  #size = 0;

  constructor(take: TakeMemory | undefined) {
    this.#memory = new HeldMemory(take);
  }

  /** Copies a chunk, because its writer may reuse the memory. */
  add(chunk: Uint8Array): void {
    const size = this.#size + chunk.length;
    const bytes = this.#withRoom(size);
    bytes?.set(chunk, this.#size);
    this.#bytes = bytes;
    this.#size = size;
  }

  /** Returns all bytes and stops recording. Undefined if there were too many. */
  take(): Buffer | undefined {
    const bytes = this.#bytes;
    this.#bytes = undefined;
    return bytes?.subarray(0, this.#size);
  }

  /** Returns the bytes so far, with capacity for this many in total. Undefined if those are too many. */
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
