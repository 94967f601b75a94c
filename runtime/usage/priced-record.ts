import { type Cost, plausibleCost, type UsageRecord } from '../../schema/usage/usage-record.ts';
import type { PricedCall, Prices } from '../ports/prices.ts';
import type { MeteredCall, UsageMeter } from './usage-meter.ts';

export interface PricedRecordOptions extends Pick<MeteredCall, 'requestBytes'> {
  readonly call: PricedCall;
  /** If absent, costs are not known. */
  readonly prices: Prices | undefined;
  /** If nothing is reported: whether something was used. Default: false. */
  readonly isUnmeasured?: boolean;
}

/** Adds the cost of each request, whatever it used. Undefined if no price covers that. */
const costOfEach = (record: UsageRecord, { call, prices }: PricedRecordOptions): Cost | undefined => {
  const cost = prices?.cost(record, call);
  return cost !== undefined && cost.nanoUsd > 0 ? cost : undefined;
};

/** One of everything that models may charge for in place of tokens. */
const others: Pick<UsageRecord, 'audioSeconds' | 'calls'> = { audioSeconds: 1, calls: { page: 1, search: 1 } };

/**
 * Returns the cost of a record. Undefined if no price covers it, or if its model charges only for something that the record does
 * not count, such as the seconds of a transcription: tokens cost nothing then.
 */
const costOf = (record: UsageRecord, { call, prices }: PricedRecordOptions): Cost | undefined => {
  const cost = prices?.cost(record, call);
  if (cost?.nanoUsd !== 0 || record.audioSeconds !== undefined || record.calls !== undefined) return cost;
  return prices?.cost({ ...record, ...others }, call)?.nanoUsd === 0 ? cost : undefined;
};

/** Creates the record of an attempt's usage, as far as its meter knows it, with its cost if that is known. */
export const pricedRecord = (meter: UsageMeter, options: PricedRecordOptions): UsageRecord => {
  const { call, requestBytes, isUnmeasured = false } = options;
  const record = meter.record({ model: () => call.model, requestBytes });
  const isNone = record.kind === 'none';
  if (isNone && !isUnmeasured) return record;
  if (isNone) record.unmeasured = true;
  const cost = isNone ? costOfEach(record, options) : costOf(record, options);
  if (cost !== undefined) record.cost = plausibleCost(cost);
  return record;
};
