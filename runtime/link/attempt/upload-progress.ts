import { Readable } from 'node:stream';
import type { RequestBody } from '../../../plugins/sdk/http.ts';
import { IncomingMessage } from '../../node-http.ts';

const never = (): boolean => false;

/**
 * Tells, each time it is asked, whether the request's body was still on its way since it was last asked. Where a body
 * does not come from a socket it counts as moving until its end.
 */
export const uploadProgress = (body: RequestBody): (() => boolean) => {
  if (body.kind !== 'stream') return never;
  const { stream } = body;
  let seen = -1;
  return () => {
    if (stream.destroyed) return false;
    if (!(stream instanceof IncomingMessage)) return !(stream instanceof Readable && stream.readableEnded);
    if (stream.readableEnded) return false;
    const before = seen;
    seen = stream.socket.bytesRead;
    return seen !== before;
  };
};
