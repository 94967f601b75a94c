import { isUtf8 } from 'node:buffer';

/** How a text is written in bytes: its encoding and its byte order mark. */
export interface TextEncoding {
  readonly charset: 'utf-8' | 'utf-16le' | 'utf-16be' | 'latin1';
  readonly mark: readonly number[];
}

const marks: readonly TextEncoding[] = [
  { charset: 'utf-8', mark: [0xef, 0xbb, 0xbf] },
  { charset: 'utf-16le', mark: [0xff, 0xfe] },
  { charset: 'utf-16be', mark: [0xfe, 0xff] },
];

/**
 * The encodings that a file may declare. UTF-16 without a byte order mark is read in the byte order that nearly all writers use.
 */
const charsets: Readonly<Record<string, TextEncoding['charset']>> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'us-ascii': 'utf-8',
  ascii: 'utf-8',
  'utf-16': 'utf-16le',
  'utf-16le': 'utf-16le',
  'utf-16be': 'utf-16be',
  'iso-8859-1': 'latin1',
  latin1: 'latin1',
  'windows-1252': 'latin1',
};

const unmarked = (charset: TextEncoding['charset']): TextEncoding => ({ charset, mark: [] });

const markedEncoding = (bytes: Buffer): TextEncoding | undefined =>
  marks.find(({ mark }) => mark.every((byte, at) => bytes[at] === byte));

/** The number of bytes at the start that are examined to detect UTF-16. In most UTF-16 texts, every second byte is zero. */
const seen = 512;

const zeros = (bytes: Buffer, from: 0 | 1): number => {
  let found = 0;
  for (let at = from; at < Math.min(bytes.length, seen); at += 2) if (bytes[at] === 0) found += 1;
  return found;
};

const guessedEncoding = (bytes: Buffer): TextEncoding | undefined => {
  const half = Math.min(bytes.length, seen) / 2;
  if (half >= 1 && bytes.length % 2 === 0) {
    if (zeros(bytes, 1) > half / 2 && zeros(bytes, 0) === 0) return unmarked('utf-16le');
    if (zeros(bytes, 0) > half / 2 && zeros(bytes, 1) === 0) return unmarked('utf-16be');
  }
  return isUtf8(bytes) ? unmarked('utf-8') : undefined;
};

const decoded = (bytes: Buffer, { charset, mark }: TextEncoding): string => {
  const own = bytes.subarray(mark.length);
  switch (charset) {
    case 'utf-8':
      return own.toString('utf8');
    case 'latin1':
      return own.toString('latin1');
    case 'utf-16le':
      return own.toString('utf16le');
    case 'utf-16be':
      return Buffer.from(own.subarray(0, own.length - (own.length % 2)))
        .swap16()
        .toString('utf16le');
  }
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: they distinguish binary files from texts.
const controls = /[\0-\x08\x0e-\x1a\x1c-\x1f]/g;

/** Whether a text has so few control characters that it can be one. In other files, one byte in ten is a control character. */
const looksLikeText = (text: string): boolean => {
  const beginning = text.slice(0, 8 * seen);
  return (beginning.match(controls)?.length ?? 0) * 32 <= beginning.length;
};

/** The text that bytes contain, and how it is encoded. */
export interface DecodedBytes extends TextEncoding {
  readonly text: string;
}

export interface BytesAsGiven {
  /** Whether a file declares that it is text. */
  readonly isText: boolean;
  /** The encoding that it declares. */
  readonly charset?: string | undefined;
}

/**
 * Decodes bytes to text. Returns undefined if they are not text or have an unknown encoding. A file that declares that it is text
 * is decoded whatever its bytes are.
 */
export const decodeText = (bytes: Buffer, { isText, charset }: BytesAsGiven): DecodedBytes | undefined => {
  const named = charset === undefined ? undefined : charsets[charset.toLowerCase()];
  if (charset !== undefined && named === undefined) return undefined;
  const guessed = named === undefined || named === 'utf-8' ? guessedEncoding(bytes) : unmarked(named);
  const encoding = markedEncoding(bytes) ?? guessed ?? unmarked('latin1');
  const text = decoded(bytes, encoding);
  return isText || looksLikeText(text) ? { ...encoding, text } : undefined;
};

/** Encodes a text. Throws a `RangeError` for a character that the encoding does not have. */
export const encodeText = (text: string, { charset, mark }: TextEncoding): Buffer => {
  const head = Buffer.from(mark);
  switch (charset) {
    case 'utf-8':
      return Buffer.concat([head, Buffer.from(text)]);
    case 'utf-16le':
      return Buffer.concat([head, Buffer.from(text, 'utf16le')]);
    case 'utf-16be':
      return Buffer.concat([head, Buffer.from(text, 'utf16le').swap16()]);
    case 'latin1': {
      const bytes = Buffer.from(text, 'latin1');
      if (bytes.toString('latin1') !== text)
        throw new RangeError('The text cannot be replaced, because its encoding does not have the new characters.');
      return Buffer.concat([head, bytes]);
    }
  }
};
