import type { Exchange } from '../../plugins/sdk/exchange/exchange.ts';
import type { Hooks } from '../../plugins/sdk/hooks/hooks.ts';
import type { GatewayResponse, Waits } from '../../plugins/sdk/http/http.ts';
import type { Clock } from '../ports/clock.ts';
import { RequestWaits } from './call/request-waits.ts';
import { attemptsHeader, attemptsText, decimalMs } from './forwarded-headers/attempts-header.ts';
import { withLines } from './forwarded-headers/outgoing-headers.ts';
import { observe } from './plugins/observe.ts';

/** The header with the time that the gateway itself took. */
const overheadHeader = 'x-gw-overhead-ms';

/** The gateway's own time of requests: all of their time except that in which they wait for others. */
export interface OwnTime {
  /**
   * Starts to measure how long a request waits, if its caller or a plugin wants to know. Its waits also count for the request
   * that it was created for, if there is one.
   */
  begin(exchange: Exchange, outer?: Waits): void;
  /** Reports the gateway's own time once the answer is there: to plugins, and in the answer to a caller who asked for it. */
  reported(response: GatewayResponse, exchange: Exchange): GatewayResponse;
}

interface Measured {
  readonly exchange: Exchange;
  /** Milliseconds since the request began. */
  readonly now: number;
  readonly ownMs: number;
}

/** An answer derived from another request's has that request's attempts. */
const withHeaders = (response: GatewayResponse, { exchange, now, ownMs }: Measured): GatewayResponse => {
  const attempts = attemptsText(exchange.trail, now);
  const lines = attempts === undefined ? [] : [attemptsHeader, attempts];
  return { ...response, headers: withLines(response.headers, [...lines, overheadHeader, decimalMs(ownMs)]) };
};

export const createOwnTime = (hooks: Hooks, clock: Clock): OwnTime => {
  const { overheadMeasured } = hooks;
  const isTapped = overheadMeasured.isUsed();
  return {
    begin({ labels, overrides }, outer) {
      if (labels === undefined || labels.waits !== undefined) return;
      if (isTapped || overrides.usage === true || outer !== undefined) labels.waits = new RequestWaits(clock, outer);
    },
    reported(response, exchange) {
      const { labels, startedAt, overrides } = exchange;
      const waits = labels?.waits;
      if (waits === undefined || startedAt === undefined) return response;
      const now = clock.monotonic() - startedAt;
      const ownMs = Math.max(0, now - waits.ms);
      if (isTapped) observe(hooks, exchange, () => overheadMeasured.call(ownMs, exchange));
      return overrides.usage === true ? withHeaders(response, { exchange, now, ownMs }) : response;
    },
  };
};
