import type { ErrorReport } from '../../schema/errors.ts';
import type { ResponseBody, UpstreamBody } from '../sdk/http.ts';

/** What came out of a body until its end; `failure` says that it was torn off, and why. */
export interface ReceivedBody {
  readonly bytes: Uint8Array;
  readonly failure?: ErrorReport;
}

/** Starts a body and takes all of it, as a socket that is never full would. */
export const receiveBody = (body: ResponseBody | UpstreamBody): Promise<ReceivedBody> => {
  if ('bytes' in body) return Promise.resolve({ bytes: body.bytes });
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    body.start({
      write: (chunk) => {
        chunks.push(Buffer.from(chunk));
        return true;
      },
      onDrain: () => {},
      end: () => resolve({ bytes: Buffer.concat(chunks) }),
      fail: (failure) => resolve({ bytes: Buffer.concat(chunks), failure }),
    });
  });
};
