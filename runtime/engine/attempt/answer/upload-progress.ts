import type { RequestBody } from '../../../../plugins/sdk/http/http.ts';
import { IncomingMessage } from '../../../../plugins/sdk/http/node-http.ts';

const never = (): boolean => false;

/**
 * Reports, on each call, whether the request's body was still being sent since the last call. A body that does not come
 * from a socket counts as being sent until its end.
 */
export const uploadProgress = (body: RequestBody): (() => boolean) => {
  if (body.kind !== 'stream') return never;
  const { stream } = body;
  let seen: number | undefined;
  return () => {
    if (stream.destroyed) return false;
    if (!(stream instanceof IncomingMessage)) return true;
    const before = seen;
    seen = stream.socket.bytesRead;
    return seen !== before;
  };
};
