import { toError } from '../../schema/text/error-text.ts';
import { systemClock } from '../in-memory/system-clock.ts';
import type { GatewayServer } from '../server/node-http/gateway-server.ts';

/** The process ends after this many milliseconds in any case, because its state is unknown. */
const longestMs = 1000;

export interface EndOnCrashOptions {
  readonly listening: Pick<GatewayServer, 'stopAccepting' | 'drain'>;
  /** Notifies the operator. */
  readonly log: (text: string) => void;
  /** Resolves when the owner has received what was printed. */
  readonly flushed: () => Promise<void>;
}

/** Ends the process after an uncaught error, as Node does, but lets running streams report that they end. */
export const endOnCrash = ({ listening, log, flushed }: EndOnCrashOptions): void => {
  let isEnding = false;
  process.on('uncaughtException', (thrown) => {
    if (isEnding) return;
    isEnding = true;
    const { stack, message } = toError(thrown);
    log(`An error was thrown outside of any request, so this worker ends: ${stack ?? message}`);
    listening.stopAccepting();
    systemClock.after(longestMs, () => process.exit(1));
    void listening
      .drain(0)
      .then(flushed)
      .finally(() => process.exit(1));
  });
};
