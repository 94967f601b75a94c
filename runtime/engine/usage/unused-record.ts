import { toUsageRecord, type UsageRecord } from '../../../schema/usage/usage-record.ts';

/** The record of a call that uses no tokens, such as a count of them. */
export const unusedRecord = (model: string | undefined): UsageRecord =>
  toUsageRecord({ input: 0, output: 0 }, { kind: 'none', model: model ?? '' });
