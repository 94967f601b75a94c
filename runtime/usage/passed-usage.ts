import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import { holdChunk } from '../../plugins/sdk/http/hold-chunk.ts';
import { toBuffer } from '../../plugins/sdk/http/to-buffer.ts';
import type { Usage } from '../../schema/conversation/conversation.ts';
import { isRawDeflate } from '../json-bodies/read/decoder-for.ts';
import { lastMember } from '../json-bodies/read/last-member.ts';
import { passedFigures } from './passed-figures.ts';

/** How many bytes at the end of an answer are kept. Figures come last, after images and audio. */
const tailBytes = 64 * 1024;
/** How many bytes of an encoded answer are kept. Nothing can be read from a longer one. */
const encodedBytes = 256 * 1024;
const decodedBytes = 16 * 1024 * 1024;

type Decode = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Buffer;

const decoders: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', (bytes, options) => (isRawDeflate(bytes) ? inflateRawSync : inflateSync)(bytes, options)],
  ['br', brotliDecompressSync],
  ['zstd', zstdDecompressSync],
]);

const figuresIn = (text: string): Usage | undefined => {
  for (const [member, read] of passedFigures) {
    const value = lastMember(text, member);
    const usage = value === undefined ? undefined : read(value);
    if (usage !== undefined) return usage;
  }
  return undefined;
};

/** Returns the figures of the last event that has some. In the streams of all vendors, the data of an event is one line. */
const figuresInEvents = (text: string): Usage | undefined => {
  const lines = text.split('\n');
  for (let line = lines.pop(); line !== undefined; line = lines.pop()) {
    const usage = figuresIn(line.trimEnd());
    if (usage !== undefined) return usage;
  }
  return undefined;
};

/** Returns the figures of the last part of a model's answer that has some. Bedrock sends the parts in base64, one a message. */
const figuresInMessages = (text: string): Usage | undefined => {
  const parts = [...text.matchAll(/"bytes":"([\w+/=]+)"/g)];
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    const usage = figuresIn(Buffer.from(part[1] ?? '', 'base64').toString());
    if (usage !== undefined) return usage;
  }
  return undefined;
};

/** Finds figures in an answer of a type. */
const readers: readonly (readonly [type: RegExp, read: (text: string) => Usage | undefined])[] = [
  [/^text\/event-stream\b/, figuresInEvents],
  [/^application\/vnd\.amazon\.eventstream\b/, figuresInMessages],
  [/^application\/(?:[\w.+-]+\+)?json\b/, figuresIn],
];

const findReader = (contentType: string): ((text: string) => Usage | undefined) | undefined =>
  readers.find(([type]) => type.test(contentType))?.[1];

export interface PassedAnswer {
  /** In lower case. */
  readonly contentType: string;
  /** In lower case. Empty for none. */
  readonly contentEncoding: string;
  /** The usage that its headers state. It counts if the body has none. */
  readonly stated?: Usage | undefined;
}

/**
 * Reads the usage that an answer reports as it passes by: JSON, server-sent events, or messages of Bedrock. A bounded part of its
 * end is kept. Nothing else is known of such an answer.
 */
export class PassedUsage {
  /** Whether the last chunk has come. */
  isWhole = false;
  readonly #decode: Decode | undefined;
  readonly #find: (text: string) => Usage | undefined;
  readonly #stated: Usage | undefined;
  readonly #max: number;
  #chunks: Buffer[] = [];
  #size = 0;
  #isCut = false;

  constructor({ contentType, contentEncoding, stated }: PassedAnswer) {
    this.#find = findReader(contentType) ?? figuresIn;
    this.#stated = stated;
    this.#decode = decoders.get(contentEncoding);
    this.#max = this.#decode === undefined ? tailBytes : encodedBytes;
  }

  /** Whether answers of this kind can be read. */
  static reads({ contentType, contentEncoding }: PassedAnswer): boolean {
    return (
      findReader(contentType) !== undefined &&
      (contentEncoding === '' || contentEncoding === 'identity' || decoders.has(contentEncoding))
    );
  }

  write(chunk: Uint8Array): void {
    const kept = chunk.length > this.#max ? chunk.subarray(chunk.length - this.#max) : chunk;
    this.#isCut ||= kept !== chunk;
    holdChunk(this.#chunks, toBuffer(kept));
    this.#size += kept.length;
    for (
      let [first] = this.#chunks;
      first !== undefined && this.#size - first.length >= this.#max;
      [first] = this.#chunks
    ) {
      this.#chunks.shift();
      this.#size -= first.length;
      this.#isCut = true;
    }
  }

  /** Undefined if the answer reports nothing that can be read. */
  read(): Usage | undefined {
    const text = this.#text();
    this.#chunks = [];
    return (text === undefined ? undefined : this.#find(text)) ?? this.#stated;
  }

  #text(): string | undefined {
    const bytes = Buffer.concat(this.#chunks);
    if (this.#decode === undefined) return bytes.toString();
    if (this.#isCut) return undefined;
    try {
      const decoded = this.#decode(bytes, { maxOutputLength: decodedBytes });
      return toBuffer(decoded).subarray(-tailBytes).toString();
    } catch {
      return undefined;
    }
  }
}
