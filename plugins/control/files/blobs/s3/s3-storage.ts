import { BlobError } from '../blob-error.ts';
import type { BlobStorage } from '../blob-storage.ts';
import { createS3Client, type S3Bucket } from './s3-client.ts';
import { toXml, xmlValue, xmlValues } from './xml.ts';

/** What is sent at once: services want parts of at least 5 MiB, but for the last. */
const partBytes = 8 * 1024 * 1024;

export interface S3StorageOptions extends S3Bucket {
  /** Of the names of all objects: empty, or with a `/` at its end. */
  readonly prefix: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** The pieces of a stream, put together to parts; the last may be smaller, and there is always one. */
async function* inParts(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let waiting: Buffer[] = [];
  let length = 0;
  for await (const piece of bytes) {
    if (length > 0 && length + piece.length > partBytes) {
      yield Buffer.concat(waiting);
      waiting = [];
      length = 0;
    }
    waiting.push(piece);
    length += piece.length;
  }
  yield Buffer.concat(waiting);
}

/** A bucket. An object is there when all of it is: a large one is sent in parts (https://docs.aws.amazon.com/AmazonS3/latest/API/). */
export const s3Storage = ({ prefix, now, ...bucket }: S3StorageOptions): BlobStorage => {
  const { ask, open } = createS3Client(bucket, now);
  const keyOf = (id: string): string => prefix + id;
  const uploadQuery = (upload: string): string => `uploadId=${encodeURIComponent(upload)}`;

  const abort = async (key: string, upload: string): Promise<void> => {
    await ask({ method: 'DELETE', key, query: uploadQuery(upload) });
  };

  const unexpected = (what: string): BlobError =>
    new BlobError('unavailable', `The storage of the files, the bucket ${bucket.bucket}, ${what}.`);

  const sendParts = async (key: string, upload: string, parts: AsyncIterable<Buffer>): Promise<void> => {
    const sent: string[] = [];
    for await (const body of parts) {
      const number = sent.length + 1;
      const query = `partNumber=${number}&${uploadQuery(upload)}`;
      const { headers } = await ask({ method: 'PUT', key, query, body });
      sent.push(`<Part><PartNumber>${number}</PartNumber><ETag>${toXml(headers.etag ?? '')}</ETag></Part>`);
    }
    const body = Buffer.from(`<CompleteMultipartUpload>${sent.join('')}</CompleteMultipartUpload>`);
    const { text } = await ask({ method: 'POST', key, query: uploadQuery(upload), body });
    // It answers 200 before it knows.
    const code = xmlValue(text, 'Code');
    if (code !== undefined) throw unexpected(`did not put an upload together (${code})`);
  };

  const sendLarge = async (key: string, parts: AsyncIterable<Buffer>): Promise<void> => {
    const { text } = await ask({ method: 'POST', key, query: 'uploads=' });
    const upload = xmlValue(text, 'UploadId');
    if (upload === undefined) throw unexpected('did not begin an upload');
    try {
      await sendParts(key, upload, parts);
    } catch (error) {
      // What cannot be aborted now is when the blob is removed.
      await abort(key, upload).catch(() => {});
      throw error;
    }
  };

  return {
    async write(id, bytes) {
      const key = keyOf(id);
      const parts = inParts(bytes);
      const { value: first = Buffer.alloc(0) } = await parts.next();
      const second = await parts.next();
      if (second.done === true) {
        await ask({ method: 'PUT', key, body: first });
        return;
      }
      await sendLarge(
        key,
        (async function* () {
          yield first;
          yield second.value;
          yield* parts;
        })(),
      );
    },
    async *read(id, { from, to }) {
      const answer = await open({ method: 'GET', key: keyOf(id), headers: { range: `bytes=${from}-${to - 1}` } });
      try {
        yield* answer;
      } catch (error) {
        throw new BlobError('unavailable', `The bucket ${bucket.bucket} broke off what it sent of a file.`, {
          cause: error,
        });
      }
    },
    async remove(id) {
      const key = keyOf(id);
      await ask({ method: 'DELETE', key });
      const { text } = await ask({ method: 'GET', key: '', query: `uploads=&prefix=${encodeURIComponent(key)}` });
      for (const upload of xmlValues(text, 'UploadId')) await abort(key, upload);
    },
  };
};
