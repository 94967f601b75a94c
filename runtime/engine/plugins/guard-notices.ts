import type { SyncHook } from 'tapable';
import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import type { Hooks } from '../../../plugins/sdk/hooks/hooks.ts';
import { errorText } from '../../../schema/text/error-text.ts';
import { toSentence } from '../../../schema/text/to-sentence.ts';
import { reportFailure } from './observe.ts';

/** The hooks that only observe a request. The exchange is their second argument. */
const ofRequests = [
  'attempting',
  'attempted',
  'usageRecorded',
  'retried',
  'fellBack',
  'hedged',
  'hedgeEnded',
  'circuitChanged',
  'probed',
  'judged',
  'mirrored',
  'overheadMeasured',
  'completed',
] as const satisfies readonly (keyof Hooks)[];

/** The hooks that belong to no request. */
const ofNone = ['limitReached', 'keyRefused'] as const satisfies readonly (keyof Hooks)[];

type Run = (...args: readonly unknown[]) => unknown;
type Failed = (error: unknown, args: readonly unknown[]) => void;

const guardHook = (hook: unknown, failed: Failed): void => {
  // An interceptor of the library would do the same, but a hook that has one counts as used.
  const tappable = hook as { tap: (options: Parameters<SyncHook<[]>['tap']>[0], run: Run) => void };
  const { tap } = tappable;
  tappable.tap = (options, run) =>
    tap.call(hook, options, (...args) => {
      try {
        return run(...args);
      } catch (error) {
        return failed(error, args);
      }
    });
};

/**
 * Isolates the taps of observing hooks, so that if one fails, the taps after it still run: the gateway's own log and metrics are
 * taps too, and come after those of others.
 */
export const guardNotices = (hooks: Hooks, log: (text: string) => void): void => {
  const report: Failed = (error, [, exchange]) => reportFailure(hooks, exchange as Exchange, error);
  for (const name of ofRequests) guardHook(hooks[name], report);
  hooks.deferredUsage.intercept({
    factory: (_dialect, hook) => {
      guardHook(hook, report);
      return hook;
    },
  });
  for (const name of ofNone)
    guardHook(hooks[name], (error) => log(`A plugin failed in the hook "${name}": ${toSentence(errorText(error))}`));
  // There is nothing left to notify.
  guardHook(hooks.failed, () => {});
};
