import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import { isJsonObject, type JsonObject } from '../../../../../../schema/json/json.ts';
import { parseJson } from '../../../../../../schema/json/parse-json.ts';
import { AvroBytes, AvroError } from './avro-bytes.ts';
import { avroReader, type ReadValue } from './avro-reader.ts';

/** Takes bytes as they arrive. Memory holds what is being taken and the piece that it arrived with. */
class IncomingBytes {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #waiting: Buffer[] = [];
  #length = 0;

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** Waits for `length` bytes; false if there are fewer. */
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

  /** Rejects with an `AvroError` if there are fewer bytes, or if `length` is larger than `max`. */
  async take(length: number, max: number): Promise<Buffer> {
    if (length < 0 || length > max)
      throw new AvroError(`a part of it has ${length} bytes, more than the limit of ${max}`);
    if (!(await this.#has(length))) throw new AvroError('it is truncated');
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

  /** Stops reading. */
  async close(): Promise<void> {
    await this.#pieces.return?.();
  }
}

/** The maximum size of a block of records, both compressed and decompressed. */
const maxBlockBytes = 64 * 1024 * 1024;

const maxHeaderBytes = 1024 * 1024;
const maxHeaderEntries = 1000;

const magic = Buffer.from('Obj\u0001');

const inflate = promisify(inflateRaw);

type Unpack = (bytes: Buffer) => Promise<Buffer>;

/** The codecs that every implementation supports. */
const codecs: ReadonlyMap<string, Unpack> = new Map<string, Unpack>([
  ['null', async (bytes) => bytes],
  [
    'deflate',
    (bytes) =>
      inflate(bytes, { maxOutputLength: maxBlockBytes }).catch(() => {
        throw new AvroError('a block cannot be decompressed');
      }),
  ],
]);

interface Header {
  readonly read: ReadValue;
  readonly unpack: Unpack;
  /** The marker after each block. */
  readonly sync: Buffer;
}

const headerEntries = async (incoming: IncomingBytes): Promise<ReadonlyMap<string, string>> => {
  const entries = new Map<string, string>();
  const text = async (): Promise<string> => (await incoming.take(await incoming.long(), maxHeaderBytes)).toString();
  for (let declared = await incoming.long(); declared !== 0; declared = await incoming.long()) {
    // A negative count is followed by the length in bytes.
    if (declared < 0) await incoming.long();
    for (let at = 0; at < Math.abs(declared); at += 1) {
      if (entries.size === maxHeaderEntries) throw new AvroError('its header is too large');
      entries.set(await text(), await text());
    }
  }
  return entries;
};

const readHeader = async (incoming: IncomingBytes): Promise<Header> => {
  if (!(await incoming.take(magic.length, magic.length)).equals(magic)) throw new AvroError('it is not an Avro file');
  const entries = await headerEntries(incoming);
  const codec = entries.get('avro.codec') ?? 'null';
  const unpack = codecs.get(codec);
  if (unpack === undefined) throw new AvroError(`its blocks are compressed with ${codec.slice(0, 100)}`);
  const read = avroReader(parseJson(entries.get('avro.schema') ?? '') ?? null);
  return { read, unpack, sync: await incoming.take(16, 16) };
};

/**
 * Yields the records of an object container file, one at a time; memory holds one block of them. Throws an `AvroError` if the
 * file is invalid or ends within a block. https://avro.apache.org/docs/1.12.0/specification/#object-container-files
 */
export async function* avroRecords(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<JsonObject> {
  const incoming = new IncomingBytes(pieces);
  try {
    const { read, unpack, sync } = await readHeader(incoming);
    while (!(await incoming.isAtEnd())) {
      const count = await incoming.long();
      const packed = await incoming.take(await incoming.long(), maxBlockBytes);
      if (!(await incoming.take(sync.length, sync.length)).equals(sync))
        throw new AvroError('a block does not end where it should');
      const bytes = new AvroBytes(await unpack(packed));
      for (let at = 0; at < count; at += 1) {
        if (bytes.isAtEnd) throw new AvroError('a block has fewer records than it states');
        const record = read(bytes);
        if (!isJsonObject(record)) throw new AvroError('its values are not records');
        yield record;
      }
      if (!bytes.isAtEnd) throw new AvroError('a block has more records than it states');
    }
  } finally {
    await incoming.close();
  }
}
