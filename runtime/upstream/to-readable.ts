import { Readable } from 'node:stream';
import type { ByteStream } from '../../plugins/sdk/http/http.ts';

/** Returns a stream as a Node `Readable`. A socket's body is one, and a plugin's stream is wrapped in one. */
export const toReadable = (stream: ByteStream): Readable =>
  stream instanceof Readable ? stream : Readable.from(stream, { objectMode: false });
