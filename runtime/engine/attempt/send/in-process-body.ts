import type { Cancellation, UpstreamBody, UpstreamFailure } from '../../../../plugins/sdk/http/http.ts';
import { errorReport } from '../../../../schema/errors/errors.ts';
import { isThenable } from '../../../async/soon.ts';
import { whileRunning } from './while-running.ts';

/** The attempt of a body. */
export interface BodyAttempt {
  readonly scope: Cancellation;
  /** The failure of a body whose attempt has ended. */
  readonly ended: () => UpstreamFailure;
  /** Reports what the plugin threw while it wrote. */
  readonly threw: (error: unknown) => void;
}

/**
 * A body that a plugin gives in process. It need not heed that its attempt has ended, and is waited for no longer; where it
 * throws while it writes, it is cut, since nothing more comes.
 */
export const inProcessBody = (body: UpstreamBody, { scope, ended, threw }: BodyAttempt): UpstreamBody => {
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
    start(sink) {
      const cut = (error: unknown): void => {
        threw(error);
        sink.fail(errorReport('stream-cut', {}));
      };
      try {
        // One that was not type-checked may be async.
        const started: unknown = body.start(sink);
        if (isThenable(started)) Promise.resolve(started).catch(cut);
      } catch (error) {
        cut(error);
      }
    },
    discard: () => body.discard(),
  };
};
