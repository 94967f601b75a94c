import { lookUp } from '../../../../../schema/json/look-up.ts';
import { orUndo } from '../../records/records.ts';
import { inPieces } from '../blob-storage.ts';

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Checks whether a number is a Unicode character; surrogate halves are not. */
const isCharacter = (code: number): boolean => code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);

const decoded = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hexadecimal, decimal, name) => {
    if (name !== undefined) return lookUp(named, name) ?? whole;
    const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
    return isCharacter(code) ? String.fromCodePoint(code) : whole;
  });

/** Returns the texts of all elements with a name in an S3 response, whose elements have no attributes and contain only text. */
export const xmlValues = (xml: string, name: string): readonly string[] =>
  Array.from(xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g')), ([, text = '']) => decoded(text));

export const xmlValue = (xml: string, name: string): string | undefined => xmlValues(xml, name)[0];

/** Escapes a text for XML. */
const toXml = (text: string): string =>
  text.replace(/[&<>]/g, (each) => ({ '&': '&amp;', '<': '&lt;' })[each] ?? '&gt;');

/** The number of bytes in one request. Services require parts of at least 5 MiB, except for the last. */
const partBytes = 8 * 1024 * 1024;

export interface S3Request {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** The object key, in unreserved characters and `/`; empty for the bucket itself. */
  readonly key: string;
  /** The encoded query, without `?`. */
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/** Sends a request to a bucket and reads the whole response; rejects if the status is 400 or above. */
export type AskS3 = (request: S3Request) => Promise<{
  readonly headers: { readonly etag?: string | undefined };
  readonly text: string;
}>;

export interface PutObject {
  readonly key: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Headers that describe the object. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers of the request that completes the object, such as a condition. */
  readonly lastHeaders?: Readonly<Record<string, string>>;
  /** Creates the error for an unexpected S3 response; `what` continues the sentence "The bucket …". */
  readonly unexpected: (what: string) => Error;
}

const uploadQuery = (upload: string): string => `uploadId=${encodeURIComponent(upload)}`;

/** Removes the parts of an incomplete upload. */
export const abortUpload = async (ask: AskS3, key: string, upload: string): Promise<void> => {
  await ask({ method: 'DELETE', key, query: uploadQuery(upload) });
};

/**
 * Writes an object, which exists only once all of it is written. Large objects are sent in parts
 * (https://docs.aws.amazon.com/AmazonS3/latest/API/).
 */
export const putObject = async (
  ask: AskS3,
  { key, bytes, headers = {}, lastHeaders = {}, unexpected }: PutObject,
): Promise<void> => {
  const sendParts = async (upload: string, parts: AsyncIterable<Buffer>): Promise<void> => {
    const sent: string[] = [];
    for await (const body of parts) {
      const number = sent.length + 1;
      const query = `partNumber=${number}&${uploadQuery(upload)}`;
      const { etag = '' } = (await ask({ method: 'PUT', key, query, body })).headers;
      sent.push(`<Part><PartNumber>${number}</PartNumber><ETag>${toXml(etag)}</ETag></Part>`);
    }
    const body = Buffer.from(`<CompleteMultipartUpload>${sent.join('')}</CompleteMultipartUpload>`);
    const { text } = await ask({ method: 'POST', key, query: uploadQuery(upload), body, headers: lastHeaders });
    // S3 answers 200 before it knows the result.
    if (!text.includes('<CompleteMultipartUploadResult'))
      throw unexpected(`did not complete an upload (${xmlValue(text, 'Code') ?? 'it does not say why'})`);
  };

  const sendLarge = async (parts: AsyncIterable<Buffer>): Promise<void> => {
    const { text } = await ask({ method: 'POST', key, query: 'uploads=', headers });
    const upload = xmlValue(text, 'UploadId');
    if (upload === undefined) throw unexpected('did not start an upload');
    // If the upload cannot be aborted now, it is aborted when the blob is removed.
    await orUndo(
      () => sendParts(upload, parts),
      () => abortUpload(ask, key, upload),
    );
  };

  const parts = inPieces(bytes, partBytes);
  const { value: first = Buffer.alloc(0) } = await parts.next();
  const second = await parts.next();
  if (second.done === true) {
    await ask({ method: 'PUT', key, body: first, headers: { ...headers, ...lastHeaders } });
    return;
  }
  await sendLarge(
    (async function* () {
      yield first;
      yield second.value;
      yield* parts;
    })(),
  );
};
