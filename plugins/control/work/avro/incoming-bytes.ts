import { AvroBytes, AvroFault } from './avro-bytes.ts';

/** Bytes that are taken as they come: no more than what is taken is in memory, and the piece that it came with. */
export class IncomingBytes {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #waiting: Buffer[] = [];
  #length = 0;

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** Waits for so many bytes; false if there are not so many. */
  async #has(length: number): Promise<boolean> {
    while (this.#length < length) {
      const { done = false, value } = await this.#pieces.next();
      if (done) return false;
      this.#waiting.push(Buffer.from(value.buffer, value.byteOffset, value.byteLength));
      this.#length += value.byteLength;
    }
    return true;
  }

  async isAtEnd(): Promise<boolean> {
    return !(await this.#has(1));
  }

  /** Rejects with an `AvroFault` if there are not so many, or more than `most` are asked for. */
  async take(length: number, most: number): Promise<Buffer> {
    if (length < 0 || length > most) throw new AvroFault(`a piece of it has ${length} bytes, and not at most ${most}`);
    if (!(await this.#has(length))) throw new AvroFault('it breaks off');
    const [first] = this.#waiting;
    const all = this.#waiting.length === 1 && first !== undefined ? first : Buffer.concat(this.#waiting);
    this.#waiting = [all.subarray(length)];
    this.#length = all.length - length;
    return all.subarray(0, length);
  }

  async long(): Promise<number> {
    const bytes: number[] = [];
    do bytes.push((await this.take(1, 1)).readUInt8());
    while ((bytes.at(-1) ?? 0) >= 128 && bytes.length < 10);
    return new AvroBytes(Buffer.from(bytes)).long();
  }

  /** Takes no more of what comes. */
  async close(): Promise<void> {
    await this.#pieces.return?.();
  }
}
