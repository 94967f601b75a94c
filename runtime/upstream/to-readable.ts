import { Readable } from 'node:stream';
import type { ByteStream } from '../../plugins/sdk/http/http.ts';

/** A stream as a Node `Readable`: a socket's body is one, and a plugin's stream is wrapped in one. */
export const toReadable = (stream: ByteStream): Readable =>
  stream instanceof Readable ? stream : Readable.from(stream, { objectMode: false });
