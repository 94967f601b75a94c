import { ApiError } from './error.ts';
import { untilSignedIn } from './session.ts';

/** Runs a read. If the session has ended, the read runs again once somebody is signed in. */
export const acrossSessions = async <Value>(read: () => Promise<Value>, signal: AbortSignal): Promise<Value> => {
  for (;;) {
    try {
      return await read();
    } catch (thrown) {
      if (!(thrown instanceof ApiError) || thrown.status !== 401) throw thrown;
      await untilSignedIn(signal);
    }
  }
};
