import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';

/** Milliseconds from when a request began to a time on the monotonic clock, with two decimals; undefined where its begin is not known. */
export const msSince = ({ startedAt }: Exchange, now: number): number | undefined =>
  startedAt === undefined ? undefined : Math.round((now - startedAt) * 100) / 100;
