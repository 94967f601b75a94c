import type { Cost, UsageRecord } from '../../schema/usage/usage-record.ts';
import type { PricedCall, Prices } from '../ports/prices.ts';
import type { MeteredCall, UsageMeter } from './usage-meter.ts';

export interface PricedRecordOptions extends Pick<MeteredCall, 'requestBytes'> {
  readonly call: PricedCall;
  /** Absent: costs are not known. */
  readonly prices: Prices | undefined;
  /** Where nothing is reported: whether something was used. False if absent. */
  readonly isUnmeasured?: boolean;
}

/** Adds the cost of each request, whatever it used; undefined where no price says so. */
const costOfEach = (record: UsageRecord, { call, prices }: PricedRecordOptions): Cost | undefined => {
  const cost = prices?.cost(record, call);
  return cost !== undefined && cost.nanoUsd > 0 ? cost : undefined;
};

/** Makes the record of an attempt's usage, as far as its meter knows it, with its cost where that is known. */
export const pricedRecord = (meter: UsageMeter, options: PricedRecordOptions): UsageRecord => {
  const { call, prices, requestBytes, isUnmeasured = false } = options;
  const record = meter.record({ model: () => call.model, requestBytes });
  const isNone = record.kind === 'none';
  if (isNone && !isUnmeasured) return record;
  if (isNone) record.unmeasured = true;
  const cost = isNone ? costOfEach(record, options) : prices?.cost(record, call);
  if (cost !== undefined) record.cost = cost;
  return record;
};
