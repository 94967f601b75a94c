import type { Agent, IncomingMessage } from 'node:http';
import https from 'node:https';
import { setTimeout } from 'node:timers/promises';
import { withoutBrackets } from '../../../../../schema/http/is-trusted.ts';
import { isSuccess } from '../../../../../schema/http/status.ts';
import { type S3Bucket, s3Origin, signS3 } from '../../../../providers/auth/s3-request.ts';
import type { ConnectTo } from '../../../../sdk/http/connect-to.ts';
import * as http from '../../../../sdk/http/node-http.ts';
import { BlobError, type BlobStorage } from '../blob-storage.ts';
import { abortUpload, putObject, type S3Request, xmlValue, xmlValues } from './put-object.ts';

/**
 * Sends requests to one bucket. Rejects with a `BlobError` for an unsuccessful response, and if there is none. Deleting an object
 * that does not exist succeeds.
 */
export interface S3Client {
  /** Resolves at the head of the response, whose body must be read or destroyed. Retries the request if the service fails. */
  open(request: S3Request): Promise<IncomingMessage>;
  /** Reads the whole response. */
  ask(request: S3Request): Promise<{ readonly headers: IncomingMessage['headers']; readonly text: string }>;
}

const maxAttempts = 3;
const retryMs = 200;
/** The maximum time without a byte, in milliseconds. */
const idleMs = 60_000;
const longestText = 1024 * 1024;

const readText = async (answer: IncomingMessage): Promise<string> => {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of answer) {
    length += piece.length;
    if (length > longestText) break;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
};

/** How to connect to a bucket. */
export interface S3Connection {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Returns the function that connects to an origin; if absent, connections are direct. */
  readonly connector?: ((origin: string) => ConnectTo) | undefined;
}

export const createS3Client = (place: S3Bucket, { now, connector }: S3Connection): S3Client => {
  const { endpoint, bucket } = place;
  const origin = s3Origin(place);
  const { protocol, hostname: written, host, port } = new URL(origin);
  const hostname = withoutBrackets(written);
  const [agent, request] =
    protocol === 'https:'
      ? [new https.Agent({ keepAlive: true }), https.request]
      : [new http.Agent({ keepAlive: true }), http.request];
  const connect = connector?.(origin);
  const createConnection: Agent['createConnection'] = (_options, onConnected) => {
    connect?.({ protocol, hostname, host, port }, (error, socket) => {
      // A socket from a proxy is paused. Node's type requires a socket with an error too, but nothing reads it.
      if (error === null) onConnected?.(null, socket.resume());
      else onConnected?.(error, undefined as never);
    });
    return undefined;
  };
  if (connect !== undefined) agent.createConnection = createConnection;

  const unavailable = (method: string, reason: string, cause?: unknown): BlobError =>
    new BlobError(
      'unavailable',
      `The storage of the files, the bucket ${bucket} at ${endpoint}, ${reason} to ${method}: check that "store.files" in the gateway file names it, and that its access key has access to it.`,
      { cause },
    );

  const signed = (asked: S3Request) => {
    const { path, headers } = signS3(asked, place, now());
    const length = asked.body?.length ?? 0;
    return { path, headers: { ...headers, ...(asked.method === 'GET' ? {} : { 'content-length': length }) } };
  };

  const once = (asked: S3Request): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const { method, body = Buffer.alloc(0) } = asked;
      const sending = request({ agent, hostname, port, method, ...signed(asked) }, resolve);
      sending.setTimeout(idleMs, () => sending.destroy(new Error('it did not answer in time')));
      sending.on('error', reject);
      sending.end(body);
    });

  /** Sends a request once. Returns the error if there is no response and a retry may help. */
  const attempt = async (asked: S3Request): Promise<IncomingMessage | BlobError> => {
    const { method, key } = asked;
    try {
      const answer = await once(asked);
      const { statusCode: status = 0 } = answer;
      if (isSuccess(status) || (status === 404 && method === 'DELETE')) return answer;
      const code = xmlValue(await readText(answer), 'Code') ?? '';
      if (status === 404 && code === 'NoSuchKey')
        throw new BlobError('damaged', `The object ${key} is missing: restore it from a copy.`);
      const refused = unavailable(method, `answered ${`${status} ${code}`.trim()}`);
      if (status >= 500 || status === 429) return refused;
      throw refused;
    } catch (error) {
      if (error instanceof BlobError) throw error;
      return unavailable(method, 'did not answer', error);
    }
  };

  const open = async (asked: S3Request): Promise<IncomingMessage> => {
    for (let number = 1; ; number += 1) {
      const answer = await attempt(asked);
      if (!(answer instanceof BlobError)) return answer;
      if (number === maxAttempts) throw answer;
      await setTimeout(retryMs * number);
    }
  };

  return {
    open,
    async ask(asked) {
      const answer = await open(asked);
      try {
        return { headers: answer.headers, text: await readText(answer) };
      } catch (error) {
        throw unavailable(asked.method, 'closed the connection before the end of its response', error);
      }
    },
  };
};

export interface S3StorageOptions extends S3Bucket, S3Connection {
  /** The prefix of all object names: empty, or with a `/` at its end. */
  readonly prefix: string;
}

/** A storage in an S3 bucket. */
export const s3Storage = ({ prefix, now, connector, ...bucket }: S3StorageOptions): BlobStorage => {
  const { ask, open } = createS3Client(bucket, { now, connector });
  const unexpected = (what: string): BlobError =>
    new BlobError('unavailable', `The storage of the files, the bucket ${bucket.bucket}, ${what}.`);

  return {
    write: (id, bytes) => putObject(ask, { key: prefix + id, bytes, unexpected }),
    async *read(id, { from, to }) {
      const answer = await open({ method: 'GET', key: prefix + id, headers: { range: `bytes=${from}-${to - 1}` } });
      try {
        yield* answer;
      } catch (error) {
        throw new BlobError(
          'unavailable',
          `The bucket ${bucket.bucket} closed the connection while it was sending a file.`,
          {
            cause: error,
          },
        );
      }
    },
    async remove(id) {
      const key = prefix + id;
      await ask({ method: 'DELETE', key });
      const { text } = await ask({ method: 'GET', key: '', query: `uploads=&prefix=${encodeURIComponent(key)}` });
      for (const upload of xmlValues(text, 'UploadId')) await abortUpload(ask, key, upload);
    },
  };
};
