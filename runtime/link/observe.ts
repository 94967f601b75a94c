import type { Exchange } from '../../plugins/sdk/exchange.ts';
import type { Hooks } from '../../plugins/sdk/hooks.ts';
import { toError } from '../../schema/error-text.ts';

/** Lets plugins look. One that throws is told to `failed`, and the request goes on: looking changes nothing. */
export const observe = (hooks: Hooks, exchange: Exchange, look: () => void): void => {
  try {
    look();
  } catch (error) {
    report(hooks, exchange, toError(error));
  }
};

const report = (hooks: Hooks, exchange: Exchange, error: Error): void => {
  try {
    hooks.failed.call(error, exchange);
  } catch {
    // Who looks at failures has failed: nobody is left to tell.
  }
};
