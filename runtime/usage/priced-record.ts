import type { UsageRecord } from '../../schema/usage-record.ts';
import type { PricedCall, Prices } from '../ports/prices.ts';
import type { MeteredCall, UsageMeter } from './usage-meter.ts';

export interface PricedRecordOptions extends Pick<MeteredCall, 'requestBytes'> {
  readonly call: PricedCall;
  /** Absent: costs are not known. */
  readonly prices: Prices | undefined;
}

/** What an attempt used, as far as its meter knows, with its cost where that is known. */
export const pricedRecord = (meter: UsageMeter, { call, prices, requestBytes }: PricedRecordOptions): UsageRecord => {
  const record = meter.record({ model: call.model, requestBytes });
  if (record.kind === 'none') return record;
  const cost = prices?.cost(record, call);
  return cost === undefined ? record : { ...record, cost };
};
