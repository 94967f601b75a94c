import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';

/**
 * Returns the milliseconds from the start of a request to a time on the monotonic clock, with two decimals. Undefined if the
 * start is not known.
 */
export const msSince = ({ startedAt }: Exchange, now: number): number | undefined =>
  startedAt === undefined ? undefined : Math.round((now - startedAt) * 100) / 100;
