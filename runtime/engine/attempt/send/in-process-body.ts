import type { Cancellation, UpstreamBody, UpstreamFailure } from '../../../../plugins/sdk/http/http.ts';
import { errorReport } from '../../../../schema/errors/errors.ts';
import { isThenable } from '../../../async/maybe-promise.ts';
import { whileRunning } from './while-running.ts';

/** The attempt that a body belongs to. */
export interface BodyAttempt {
  readonly scope: Cancellation;
  /** Returns the failure of a body whose attempt has ended. */
  readonly ended: () => UpstreamFailure;
  /** Reports what the plugin threw while it wrote. */
  readonly threw: (error: unknown) => void;
}

/**
 * Wraps a body that a plugin produces in process. The plugin may ignore the end of its attempt, and is not waited for after that.
 * If it throws while it writes, the body is cut, because nothing more will come.
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
        // A plugin that was not type-checked may be async.
        const started: unknown = body.start(sink);
        if (isThenable(started)) Promise.resolve(started).catch(cut);
      } catch (error) {
        cut(error);
      }
    },
    discard: () => body.discard(),
  };
};
