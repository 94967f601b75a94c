import type { Cancellation, UpstreamBody, UpstreamFailure } from '../../../../plugins/sdk/http/http.ts';
import { isThenable } from '../../../async/soon.ts';
import { whileRunning } from './while-running.ts';

/** The attempt of a body, and its failure once that has ended. */
export interface BodyAttempt {
  readonly scope: Cancellation;
  readonly ended: () => UpstreamFailure;
}

/** A body that a plugin gives in process: it need not heed that its attempt has ended, and is waited for no longer. */
export const inProcessBody = (body: UpstreamBody, { scope, ended }: BodyAttempt): UpstreamBody => {
  const collected = async (coming: Promise<Uint8Array | UpstreamFailure>): Promise<Uint8Array | UpstreamFailure> => {
    const bytes = await whileRunning(scope, Promise.resolve(coming));
    if (bytes !== undefined) return bytes;
    body.discard();
    return ended();
  };
  return {
    collect(limit, take) {
      const found = body.collect(limit, take);
      return isThenable(found) ? collected(found) : found;
    },
    start: (sink) => body.start(sink),
    discard: () => body.discard(),
  };
};
