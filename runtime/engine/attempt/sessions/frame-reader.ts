import { holdChunk } from '../../../../plugins/sdk/http/hold-chunk.ts';

/** The opcodes that are read (RFC 6455 §5.2). */
const continuation = 0x0;
const text = 0x1;
const close = 0x8;
const lastData = 0x2;

const finalBit = 0x80;
const reservedBits = 0x70;
const opcodeBits = 0x0f;
const maskBit = 0x80;
const lengthBits = 0x7f;

/** The values of the length field for lengths that follow it in two and in eight bytes. */
const twoBytes = 126;
const eightBytes = 127;

const headBytes = 2;
const longestHead = 10;

const noBytes: Buffer = Buffer.alloc(0);

export interface FrameReaderOptions {
  /** The maximum size of a text that is read. Longer ones pass unread. */
  readonly maxBytes: number;
  /** Called with each text, once it is complete. Absent if nothing reads them. */
  readonly onText?: ((text: Buffer) => void) | undefined;
}

/** Reads the frames that the server of a WebSocket sends (RFC 6455 §5.2), as they pass in pieces of any size. */
export class FrameReader {
  /** Whether something is not a frame of a server. Nothing after it is read. */
  isBroken = false;
  readonly #options: FrameReaderOptions;
  /** The beginning of a frame's head. */
  #head: Buffer = noBytes;
  /** How many bytes of the frame are still to come. */
  #left = 0;
  #isFinal = true;
  #isData = false;
  /** The parts of the current text. Undefined if it is not read. */
  #parts: Buffer[] | undefined;
  #size = 0;
  /** Whether the server has announced the end. */
  #isClosed = false;
  /** Whether further frames of a message are to come. */
  #isWithinMessage = false;

  constructor(options: FrameReaderOptions) {
    this.#options = options;
  }

  /** Whether the server has closed. */
  get isOver(): boolean {
    return this.#isClosed && this.#isAtBorder;
  }

  /** Whether another frame may be written now. */
  get isBetweenFrames(): boolean {
    return this.#isAtBorder && !this.#isClosed;
  }

  /** Whether another message may be written now. */
  get isBetweenMessages(): boolean {
    return this.isBetweenFrames && !this.#isWithinMessage;
  }

  get #isAtBorder(): boolean {
    return this.#left === 0 && this.#head.length === 0 && !this.isBroken;
  }

  read(chunk: Buffer): void {
    let rest = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk]);
    this.#head = noBytes;
    while (rest.length > 0 && !this.isBroken) {
      if (this.#left > 0) {
        const size = Math.min(this.#left, rest.length);
        this.#take(rest.subarray(0, size));
        rest = rest.subarray(size);
        continue;
      }
      const begun = this.#begin(rest);
      if (begun === 0) {
        this.#head = Buffer.from(rest);
        return;
      }
      rest = rest.subarray(begun);
    }
  }

  /** Reads the head of a frame, and returns its size; 0 if it is not complete. */
  #begin(bytes: Buffer): number {
    const [first = 0, second = 0] = bytes;
    if (bytes.length < headBytes) return 0;
    const opcode = first & opcodeBits;
    // No extension is negotiated, and servers do not mask.
    if ((first & reservedBits) !== 0 || (second & maskBit) !== 0) {
      this.isBroken = true;
      return bytes.length;
    }
    const short = second & lengthBits;
    const size = short === eightBytes ? longestHead : short === twoBytes ? 4 : headBytes;
    if (bytes.length < size) return 0;
    this.#left =
      short === eightBytes
        ? Number(bytes.readBigUInt64BE(headBytes))
        : short === twoBytes
          ? bytes.readUInt16BE(headBytes)
          : short;
    this.#isFinal = (first & finalBit) !== 0;
    this.#isData = opcode <= lastData;
    if (opcode === close) this.#isClosed = true;
    if (this.#isData) {
      if (opcode !== continuation) this.#open(opcode);
      this.#isWithinMessage = true;
    }
    if (this.#left === 0) this.#endFrame();
    return size;
  }

  #open(opcode: number): void {
    this.#size = 0;
    this.#parts = opcode === text && this.#options.onText !== undefined ? [] : undefined;
  }

  #take(bytes: Buffer): void {
    this.#left -= bytes.length;
    if (this.#isData && this.#parts !== undefined) {
      this.#size += bytes.length;
      if (this.#size > this.#options.maxBytes) this.#parts = undefined;
      else holdChunk(this.#parts, bytes);
    }
    if (this.#left === 0) this.#endFrame();
  }

  #endFrame(): void {
    if (!this.#isData || !this.#isFinal) return;
    this.#isWithinMessage = false;
    const parts = this.#parts;
    this.#parts = undefined;
    if (parts === undefined) return;
    const [only = noBytes] = parts;
    this.#options.onText?.(parts.length === 1 ? only : Buffer.concat(parts));
  }
}
