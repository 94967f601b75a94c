import { type FormPart, malformed, readPartHead } from './form-part.ts';

/** The maximum size of the header lines of a part, in bytes. */
const maxHeadBytes = 16_384;

/** The maximum number of parts. Each takes some time, and all parts that are in memory are read before anything else is done. */
const maxParts = 1000;

const headEnd = Buffer.from('\r\n\r\n');

/** Incoming bytes, some of which have not been examined yet. */
class Arriving {
  waiting: Buffer;
  /** The number of bytes of the form that were taken. */
  taken: number;
  readonly #source: AsyncIterator<Uint8Array>;

  constructor(source: AsyncIterator<Uint8Array>, waiting: Buffer) {
    this.#source = source;
    this.waiting = waiting;
    this.taken = -waiting.length;
  }

  /** Takes bytes from the front. */
  take(length: number): Buffer {
    const taken = this.waiting.subarray(0, length);
    this.waiting = this.waiting.subarray(length);
    this.taken += length;
    return taken;
  }

  /** Waits for more bytes. Throws a `malformed-upload` if there are none. */
  async more(): Promise<void> {
    const { done, value } = await this.#source.next();
    if (done === true) throw malformed('it ends before its last boundary.');
    this.waiting =
      this.waiting.length === 0
        ? Buffer.from(value.buffer, value.byteOffset, value.length)
        : Buffer.concat([this.waiting, value]);
  }
}

/** Yields the bytes before a delimiter, and takes the delimiter as well. */
async function* untilDelimiter(arriving: Arriving, delimiter: Buffer): AsyncGenerator<Buffer, void> {
  for (;;) {
    const at = arriving.waiting.indexOf(delimiter);
    // The end of the waiting bytes may be the start of a delimiter.
    const length = at < 0 ? arriving.waiting.length - delimiter.length + 1 : at;
    if (length > 0) yield arriving.take(length);
    if (at >= 0) return void arriving.take(delimiter.length);
    await arriving.more();
  }
}

/** Reads what follows a delimiter: the header lines of a part, or undefined after the last part. */
const readHead = async (arriving: Arriving): Promise<string | undefined> => {
  for (;;) {
    const { waiting } = arriving;
    if (waiting.length >= 2 && waiting.toString('latin1', 0, 2) === '--') return undefined;
    const end = waiting.indexOf(headEnd);
    if (end >= 0) {
      const head = arriving.take(end + headEnd.length).toString();
      if (/^[\t ]*\r\n/.test(head)) return head;
      throw malformed('a boundary is not followed by a line break.');
    }
    if (waiting.length > maxHeadBytes)
      throw malformed(`the header lines of one of its parts are longer than ${maxHeadBytes} bytes.`);
    await arriving.more();
  }
};

/**
 * Yields the parts of a multipart/form-data body (RFC 7578) as they arrive. A part that is not read is skipped, and the end of a
 * part is only known once the next one is requested. The source is never asked to stop, so that the connection it belongs to can
 * still be answered. Throws the `GatewayError` `malformed-upload`.
 */
export async function* readForm(source: AsyncIterable<Uint8Array>, boundary: string): AsyncGenerator<FormPart, void> {
  // The first delimiter need not be preceded by a line break.
  const arriving = new Arriving(source[Symbol.asyncIterator](), Buffer.from('\r\n'));
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  for await (const _ of untilDelimiter(arriving, delimiter));
  for (let parts = 0; ; parts += 1) {
    const place = { from: arriving.taken, to: arriving.taken };
    const head = await readHead(arriving);
    if (head === undefined) return;
    if (parts === maxParts) throw malformed(`it has more than ${maxParts} parts.`);
    const bytes = untilDelimiter(arriving, delimiter);
    yield { ...readPartHead(head), place, bytes };
    while ((await bytes.next()).done !== true);
    place.to = arriving.taken - delimiter.length;
  }
}
