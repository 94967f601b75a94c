import type { SyncHook } from 'tapable';
import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import type { Hooks } from '../../../plugins/sdk/hooks/hooks.ts';
import { asGatewayError, type ErrorReport } from '../../../schema/errors/errors.ts';
import { toError } from '../../../schema/text/error-text.ts';

/** Calls observing hooks. If one throws, `failed` is called and the request continues. */
export const observe = (hooks: Hooks, exchange: Exchange, look: () => void): void => {
  try {
    look();
  } catch (error) {
    reportFailure(hooks, exchange, error);
  }
};

/** Does the same for a hook with one event, without creating a function for each event. */
export const observeEvent = <Event>(
  hooks: Hooks,
  hook: SyncHook<[Event, Exchange]>,
  event: Event,
  exchange: Exchange,
): void => {
  try {
    hook.call(event, exchange);
  } catch (error) {
    reportFailure(hooks, exchange, error);
  }
};

/**
 * Notifies hooks of an error that ends a request, and returns what the caller receives. If the error is not a `GatewayError`, only
 * the operator learns its reason.
 */
export const reportEnd = (hooks: Hooks, exchange: Exchange, error: unknown): ErrorReport => {
  const known = asGatewayError(error);
  observeEvent(hooks, hooks.failed, known, exchange);
  return known.report;
};

/** Notifies hooks of an error that does not affect the request. */
export const reportFailure = (hooks: Hooks, exchange: Exchange, error: unknown): void => {
  try {
    hooks.failed.call(toError(error), exchange);
  } catch {
    // The hook for failures has itself failed, so there is nothing left to notify.
  }
};
