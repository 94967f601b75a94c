import { type FormPart, malformed, readPartHead } from './form-part.ts';

/** The most bytes of the header lines of a part. */
const maxHeadBytes = 16_384;

/** The most parts: each takes some time, and all of those that are in memory are read before anything else is done. */
const maxParts = 1000;

const headEnd = Buffer.from('\r\n\r\n');

/** Bytes that arrive, of which some wait to be looked at. */
class Arriving {
  waiting: Buffer;
  /** How many bytes of the form were taken. */
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

  /** Waits for more. Throws a `malformed-upload` if none come. */
  async more(): Promise<void> {
    const { done, value } = await this.#source.next();
    if (done === true) throw malformed('it ends before its last boundary.');
    this.waiting =
      this.waiting.length === 0
        ? Buffer.from(value.buffer, value.byteOffset, value.length)
        : Buffer.concat([this.waiting, value]);
  }
}

/** The bytes before a delimiter, which is taken as well. */
async function* untilDelimiter(arriving: Arriving, delimiter: Buffer): AsyncGenerator<Buffer, void> {
  for (;;) {
    const at = arriving.waiting.indexOf(delimiter);
    // The end of what waits may be the beginning of a delimiter.
    const length = at < 0 ? arriving.waiting.length - delimiter.length + 1 : at;
    if (length > 0) yield arriving.take(length);
    if (at >= 0) return void arriving.take(delimiter.length);
    await arriving.more();
  }
}

/** Reads what comes after a delimiter: the header lines of a part; undefined after the last part. */
const readHead = async (arriving: Arriving): Promise<string | undefined> => {
  for (;;) {
    const { waiting } = arriving;
    if (waiting.length >= 2 && waiting.toString('latin1', 0, 2) === '--') return undefined;
    const end = waiting.indexOf(headEnd);
    if (end >= 0) {
      const head = arriving.take(end + headEnd.length).toString();
      if (/^[\t ]*\r\n/.test(head)) return head;
      throw malformed('a boundary is followed by something else than the end of its line.');
    }
    if (waiting.length > maxHeadBytes)
      throw malformed(`the header lines of a part have more than ${maxHeadBytes} bytes.`);
    await arriving.more();
  }
};

/**
 * The parts of a body of the type multipart/form-data (RFC 7578), as they arrive. One that nobody reads is passed over, and where
 * a part ends is known once the next one is asked for. The source is never asked to stop, so that the connection that it belongs
 * to can still be answered. Throws the `GatewayError` `malformed-upload`.
 */
export async function* readForm(source: AsyncIterable<Uint8Array>, boundary: string): AsyncGenerator<FormPart, void> {
  // The first delimiter may have no line before it.
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
