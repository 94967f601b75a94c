import { definePlugin, type Plugin } from '../../../plugins/sdk/plugin/plugin.ts';
import { withoutServiceKeys } from '../../../schema/credentials/without-service-keys.ts';
import { GatewayError } from '../../../schema/errors/errors.ts';
import { LinkError } from '../../engine/link-error.ts';
import { HttpExchange } from '../../http/exchange/http-exchange.ts';

const name = 'gatewright/failure-log';

/** Returns the cause that the caller is not shown: a bug of the gateway or of a plugin, or something missing. */
const behind = (error: Error): unknown => (error instanceof GatewayError ? error.cause : error);

const words = (cause: unknown): string => {
  if (cause instanceof LinkError) return cause.problems.join(' ');
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
};

/** Writes why a request failed if only the operator can correct it, with the trace id that the caller received. */
export const failureLog = (write: (text: string) => void): Plugin =>
  definePlugin({
    name,
    apply: (hooks) => {
      hooks.failed.tap(name, (error, exchange) => {
        const cause = behind(error);
        if (cause === undefined || !(exchange instanceof HttpExchange)) return;
        write(`gw: The request ${exchange.traceId} failed. ${withoutServiceKeys(words(cause))}\n`);
      });
    },
  });
