import { inPieces } from '../in-pieces.ts';
import type { S3Request } from './s3-client.ts';
import { toXml, xmlValue } from './xml.ts';

/** The bytes that are sent at once: services want parts of at least 5 MiB, but for the last. */
const partBytes = 8 * 1024 * 1024;

/** Sends a request to a bucket and reads the answer whole; rejects for one of 400 or above. */
export type AskS3 = (request: S3Request) => Promise<{
  readonly headers: { readonly etag?: string | undefined };
  readonly text: string;
}>;

export interface PutObject {
  readonly key: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Headers that describe the object. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers of the request after which it is there, such as a condition. */
  readonly lastHeaders?: Readonly<Record<string, string>>;
  /** The error for an answer that S3 should not give; `what` continues the sentence "The bucket …". */
  readonly unexpected: (what: string) => Error;
}

const uploadQuery = (upload: string): string => `uploadId=${encodeURIComponent(upload)}`;

/** Forgets the parts of an upload that does not come to its end. */
export const abortUpload = async (ask: AskS3, key: string, upload: string): Promise<void> => {
  await ask({ method: 'DELETE', key, query: uploadQuery(upload) });
};

/** Writes an object, which is there when all of it is: a large one is sent in parts (https://docs.aws.amazon.com/AmazonS3/latest/API/). */
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
    // It answers 200 before it knows.
    const code = xmlValue(text, 'Code');
    if (code !== undefined) throw unexpected(`did not put an upload together (${code})`);
  };

  const sendLarge = async (parts: AsyncIterable<Buffer>): Promise<void> => {
    const { text } = await ask({ method: 'POST', key, query: 'uploads=', headers });
    const upload = xmlValue(text, 'UploadId');
    if (upload === undefined) throw unexpected('did not begin an upload');
    try {
      await sendParts(upload, parts);
    } catch (error) {
      // What cannot be aborted now is when the blob is removed.
      await abortUpload(ask, key, upload).catch(() => {});
      throw error;
    }
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
