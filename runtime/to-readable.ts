import { Readable } from 'node:stream';
import type { ByteStream } from '../plugins/sdk/http.ts';

/** A stream as Node's own: what came from a socket is one, and what a plugin made is read through one. */
export const toReadable = (stream: ByteStream): Readable =>
  stream instanceof Readable ? stream : Readable.from(stream, { objectMode: false });
