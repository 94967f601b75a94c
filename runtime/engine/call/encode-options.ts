import type { EncodeAnswer } from '../../../plugins/sdk/dialect/dialect.ts';
import type { Clock } from '../../ports/clock.ts';
import type { LeafCall } from './leaf-call.ts';
import { remembering } from './named-items.ts';

export interface EncodeChoices {
  readonly strict: boolean;
  readonly streamUsage: boolean;
  readonly clock: Pick<Clock, 'wall'>;
}

/** Returns the options for writing a translated answer, with the gateway's id and time for providers that send none. */
export const encodeOptions = (call: LeafCall, { strict, streamUsage, clock }: EncodeChoices): EncodeAnswer => ({
  provider: call.target.provider.id,
  strict,
  streamUsage,
  id: `gw-${call.exchange.traceId}`,
  created: Math.floor(clock.wall() / 1000),
  request: () => call.exchange.json(),
  ...remembering(call),
});
