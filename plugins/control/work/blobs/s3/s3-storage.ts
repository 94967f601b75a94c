import { BlobError, type BlobStorage } from '../blob-storage.ts';
import { abortUpload, putObject } from './put-object.ts';
import { createS3Client, type S3Bucket } from './s3-client.ts';
import { xmlValues } from './xml.ts';

export interface S3StorageOptions extends S3Bucket {
  /** Of the names of all objects: empty, or with a `/` at its end. */
  readonly prefix: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** A bucket. */
export const s3Storage = ({ prefix, now, ...bucket }: S3StorageOptions): BlobStorage => {
  const { ask, open } = createS3Client(bucket, now);
  const toKey = (id: string): string => prefix + id;

  const unexpected = (what: string): BlobError =>
    new BlobError('unavailable', `The storage of the files, the bucket ${bucket.bucket}, ${what}.`);

  return {
    write: (id, bytes) => putObject(ask, { key: toKey(id), bytes, unexpected }),
    async *read(id, { from, to }) {
      const answer = await open({ method: 'GET', key: toKey(id), headers: { range: `bytes=${from}-${to - 1}` } });
      try {
        yield* answer;
      } catch (error) {
        throw new BlobError('unavailable', `The bucket ${bucket.bucket} broke off what it sent of a file.`, {
          cause: error,
        });
      }
    },
    async remove(id) {
      const key = toKey(id);
      await ask({ method: 'DELETE', key });
      const { text } = await ask({ method: 'GET', key: '', query: `uploads=&prefix=${encodeURIComponent(key)}` });
      for (const upload of xmlValues(text, 'UploadId')) await abortUpload(ask, key, upload);
    },
  };
};
