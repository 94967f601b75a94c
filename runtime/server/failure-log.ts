import { definePlugin, type Plugin } from '../../plugins/sdk/plugin.ts';
import { GatewayError } from '../../schema/errors.ts';
import { LinkError } from '../link/link-error.ts';
import { HttpExchange } from './http-exchange.ts';

const name = 'gatewright/failure-log';

/** What lies behind an error that the caller is not told: a bug, ours or a plugin's, or something missing here. */
const behind = (error: Error): unknown => (error instanceof GatewayError ? error.cause : error);

const words = (cause: unknown): string => {
  if (cause instanceof LinkError) return cause.problems.join(' ');
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
};

/** Writes why a request failed where only the operator can mend it, under the trace id that its caller was given. */
export const failureLog = (write: (text: string) => void): Plugin =>
  definePlugin({
    name,
    apply: (hooks) => {
      hooks.failed.tap(name, (error, exchange) => {
        const cause = behind(error);
        if (cause === undefined || !(exchange instanceof HttpExchange)) return;
        write(`gw: The request ${exchange.traceId} failed. ${words(cause)}\n`);
      });
    },
  });
