import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** The maximum number of records in a block. Reading one of them decompresses the whole block. */
const maxPlaces = 128;
/** The maximum number of characters in a block; a single record may have more. */
const maxCharacters = 64 * 1024;

const fast = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** JSON has line breaks only between its values. */
const asLine = (json: string): string => (json.includes('\n') ? json.replaceAll('\n', ' ') : json);

/** Collects the details of records as lines, until the block is full. */
export class DetailBlock {
  readonly #lines: string[];
  #characters: number;

  constructor(lines: readonly string[] = []) {
    this.#lines = [...lines];
    this.#characters = lines.reduce((sum, { length }) => sum + length, 0);
  }

  get places(): number {
    return this.#lines.length;
  }

  hasRoomFor(json: string): boolean {
    return (
      this.#lines.length === 0 || (this.#lines.length < maxPlaces && this.#characters + json.length <= maxCharacters)
    );
  }

  /** Adds the detail of a record, and returns its place. */
  add(json: string): number {
    this.#characters += json.length;
    return this.#lines.push(asLine(json)) - 1;
  }

  /** @param clean converts the text before it is stored */
  compressed(clean: (text: string) => string): Buffer {
    return zstdCompressSync(clean(this.#lines.join('\n')), fast);
  }
}

/** Returns the details of a block, by place. */
export const linesOfBlock = (data: Uint8Array): readonly string[] => zstdDecompressSync(data).toString().split('\n');

const newline = 0x0a;

/** Returns the details at some places of a block. Decompressing a block takes less time than handing it to another thread. */
export const detailsOfBlock = (data: Uint8Array, places: ReadonlySet<number>): ReadonlyMap<number, string> => {
  const text = zstdDecompressSync(data);
  const found = new Map<number, string>();
  for (let place = 0, start = 0; start <= text.length && found.size < places.size; place += 1) {
    const next = text.indexOf(newline, start);
    const end = next === -1 ? text.length : next;
    if (places.has(place)) found.set(place, text.toString('utf8', start, end));
    start = end + 1;
  }
  return found;
};
