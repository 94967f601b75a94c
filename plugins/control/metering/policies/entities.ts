import { createHash } from 'node:crypto';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { fromWhole, type LimitType } from '../../kernel/limits/amounts.ts';
import type { PolicyBucket } from '../../kernel/limits/counter-reader.ts';
import type { LimitPolicy } from '../../kernel/limits/limit-policy.ts';

/** What one combination of values has used of a policy, as it is shown. */
export interface Entity {
  readonly id: string;
  /** `metadata._user:alice,model:m`; `*` for what shares a counter because there were too many. A long one ends with its hash. */
  readonly value_key: string;
  /** In the units of the policy: US dollars, tokens or requests. */
  readonly current_usage: number;
}

/** Commas and backslashes of a value are written behind a backslash, so that no two combinations are written alike. */
const escaped = (value: string): string => value.replaceAll(/[\\,]/g, '\\$&');

const valueKey = ({ groupBy }: LimitPolicy, { bucket, values }: PolicyBucket): string =>
  values === undefined ? bucket : groupBy.map((key, at) => `${key}:${escaped(values[at] ?? '')}`).join(',');

/** The id of a counter, in the form of a UUID: always the same one for the same values. */
const entityId = ({ id }: LimitPolicy, { bucket }: PolicyBucket): string =>
  createHash('sha256')
    .update(`${id}\n${bucket}`)
    .digest('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');

export const toEntity = (policy: LimitPolicy, bucket: PolicyBucket, type: LimitType): Entity => ({
  id: entityId(policy, bucket),
  value_key: valueKey(policy, bucket),
  current_usage: fromWhole(bucket.used, type),
});

/** What has been used of a policy, by value key. */
export const usageMap = (policy: LimitPolicy, buckets: readonly PolicyBucket[], type: LimitType): JsonObject =>
  Object.fromEntries(
    buckets.map((bucket) => {
      const { value_key, current_usage } = toEntity(policy, bucket, type);
      const usage = {
        current_usage,
        status: bucket.used >= policy.limit ? 'exhausted' : 'active',
        is_threshold_alerts_sent: bucket.notified.threshold,
        is_exhausted_alerts_sent: bucket.notified.exhausted,
      };
      return [value_key, usage];
    }),
  );
