import type { ErrorReport } from '../../../schema/errors/errors.ts';
import type { ResponseBody, UpstreamBody } from '../../sdk/http/http.ts';

/** The chunks that a body sent until it ended. `failure` is present if it was aborted, and says why. */
export interface ReceivedBody {
  readonly bytes: Uint8Array;
  readonly failure?: ErrorReport;
}

/** Starts a body and receives all of it, like a socket that is never full. */
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
