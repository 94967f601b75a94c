import { definePlugin, type Plugin } from '../../../plugins/sdk/plugin/plugin.ts';
import { withoutServiceKeys } from '../../../schema/credentials/without-service-keys.ts';
import { GatewayError } from '../../../schema/errors/errors.ts';
import { LinkError } from '../../engine/link-error.ts';
import { HttpExchange } from '../../http/exchange/http-exchange.ts';
import type { Clock } from '../../ports/clock.ts';

const name = 'gatewright/failure-log';

/** Returns the cause that the caller is not shown: a bug of the gateway or of a plugin, or something missing. */
const behind = (error: Error): unknown => (error instanceof GatewayError ? error.cause : error);

const words = (cause: unknown): string => {
  if (cause instanceof LinkError) return cause.problems.join(' ');
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
};

/** A text is written again after so many milliseconds. */
const everyMs = 60_000;

/** The maximum number of texts that are remembered. */
const maxTexts = 100;

/**
 * Creates a function that returns how often a text was left out since it was last written, or undefined if it is left out now,
 * because it was written less than a minute ago.
 */
const createRepeatCounter = (clock: Pick<Clock, 'monotonic'>): ((text: string) => number | undefined) => {
  const known = new Map<string, { readonly until: number; leftOut: number }>();
  return (text) => {
    const now = clock.monotonic();
    const before = known.get(text);
    if (before !== undefined && now < before.until) {
      before.leftOut += 1;
      return undefined;
    }
    known.delete(text);
    const [oldest] = known.keys();
    if (oldest !== undefined && known.size >= maxTexts) known.delete(oldest);
    known.set(text, { until: now + everyMs, leftOut: 0 });
    return before?.leftOut ?? 0;
  };
};

/**
 * Writes why a request failed if only the operator can correct it, with the trace id that the caller received. A cause that is a
 * sentence, such as that of a store that is unavailable, is the same for all requests, so it is written once a minute.
 */
export const failureLog = (write: (text: string) => void, clock: Pick<Clock, 'monotonic'>): Plugin => {
  const countRepeats = createRepeatCounter(clock);
  return definePlugin({
    name,
    apply: (hooks) => {
      hooks.failed.tap(name, (error, exchange) => {
        const cause = behind(error);
        if (cause === undefined || !(exchange instanceof HttpExchange)) return;
        const text = withoutServiceKeys(words(cause));
        const repeats = typeof cause === 'string' ? countRepeats(text) : 0;
        if (repeats === undefined) return;
        const others = repeats === 0 ? '' : `, and ${repeats} before it since the last such line`;
        write(`gw: The request ${exchange.traceId} failed${others}. ${text}\n`);
      });
    },
  });
};
