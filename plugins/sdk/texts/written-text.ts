import { type DecodedBytes, decodeText, encodeText } from './text-bytes.ts';

/** A string in a body, which may contain a file. */
export type WrittenText =
  | { readonly is: 'plain'; readonly text: string }
  /** A text in base64 or in a `data:` URL. `write` writes another text in the same form. */
  | { readonly is: 'encoded'; readonly text: string; write(text: string): string }
  /** A file that is not text, or a text in an unknown encoding. */
  | { readonly is: 'binary'; readonly isText: boolean };

/** Matches the head of a `data:` URL: its type and parameters. */
const dataHead = /^data:(?:[\w.+-]+\/[\w.+*-]+)?(?:;[^,;\s]*)*,/i;

const textual =
  /^(?:$|text\/|application\/(?:json|xml|yaml|x-yaml|toml|csv|sql|rtf|xhtml|javascript|x-javascript|ecmascript|typescript|x-sh|x-ndjson|jsonl|x-www-form-urlencoded)$|[^/]+\/[^/]+\+(?:json|xml|yaml)$)/i;

/** Whether files of a type are texts. */
export const isTextType = (mimeType: string): boolean => textual.test(mimeType.split(';', 1)[0]?.trim() ?? '');

/** Matches base64 in either alphabet. It may be megabytes long. */
const base64 = /^[A-Za-z0-9+/_-]*={0,2}\s*$/;
/** Shorter strings are treated as words. */
const shortestFile = 16;

const percentBytes = (data: string): Buffer =>
  Buffer.from(
    Buffer.from(data)
      .toString('latin1')
      .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );

const percentEncoded = (bytes: Buffer): string =>
  bytes
    .toString('latin1')
    .replace(/[^A-Za-z0-9\-_.!~*'()]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);

const base64Bytes = (data: string): Buffer =>
  Buffer.from(data.includes('%') ? percentBytes(data).toString() : data, 'base64');

const asEncoded = (found: DecodedBytes | undefined, isText: boolean, write: (bytes: Buffer) => string): WrittenText =>
  found === undefined
    ? { is: 'binary', isText }
    : { is: 'encoded', text: found.text, write: (text) => write(encodeText(text, found)) };

const readDataUrl = (url: string, head: string): WrittenText => {
  const [mimeType = '', ...parameters] = head.slice('data:'.length, -1).split(';');
  const isBase64 = parameters.at(-1)?.toLowerCase() === 'base64';
  const charset = parameters.find((each) => /^charset=/i.test(each))?.slice('charset='.length);
  const isText = isTextType(mimeType);
  const data = url.slice(head.length);
  const bytes = isBase64 ? base64Bytes(data) : percentBytes(data);
  const found = decodeText(bytes, { isText, charset: charset?.replaceAll('"', '') });
  return asEncoded(
    found,
    isText,
    (written) => head + (isBase64 ? written.toString('base64') : percentEncoded(written)),
  );
};

/** Decodes a file: a `data:` URL, base64, or the text itself. */
export const readFile = (data: string): WrittenText => {
  const [head] = dataHead.exec(data) ?? [];
  if (head !== undefined) return readDataUrl(data, head);
  if (!base64.test(data)) return { is: 'plain', text: data };
  return asEncoded(decodeText(base64Bytes(data), { isText: false }), false, (bytes) => bytes.toString('base64'));
};

const looseHead = /^\s*data:([^,]{0,1000}),/i;

/** Decodes a file as lenient parsers do: characters that are not base64 are skipped, and any bytes are text. */
export const readLoosely = (data: string): { readonly mimeType: string | undefined; readonly text: string } => {
  const [head = '', escapedData] = looseHead.exec(data) ?? [];
  const bytes = Buffer.from(
    escapedData === undefined || /base64/i.test(escapedData) ? data.slice(head.length) : '',
    'base64',
  );
  return { mimeType: escapedData?.split(';', 1)[0]?.trim(), text: bytes.toString('utf8').replace(/^\ufeff/, '') };
};

/** Decodes a string about which nothing is known. It may be a file, or words. */
export const writtenText = (text: string): WrittenText => {
  const [head] = dataHead.exec(text) ?? [];
  if (head !== undefined) return readDataUrl(text, head);
  const plain: WrittenText = { is: 'plain', text };
  if (text.length < shortestFile || text.length % 4 !== 0 || !base64.test(text)) return plain;
  const file = readFile(text);
  return file.is === 'encoded' ? file : plain;
};
