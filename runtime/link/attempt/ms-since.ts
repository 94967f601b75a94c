import type { Exchange } from '../../../plugins/sdk/exchange.ts';
import type { Clock } from '../../ports/clock.ts';

/** Milliseconds since a request began, with two decimals; undefined where its begin is not known. */
export const msSince = ({ startedAt }: Exchange, clock: Pick<Clock, 'monotonic'>): number | undefined =>
  startedAt === undefined ? undefined : Math.round((clock.monotonic() - startedAt) * 100) / 100;
