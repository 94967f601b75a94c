import { createHash } from 'node:crypto';
import { fromJson } from '../../../../schema/json/from-json.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { resetOfPolicy } from '../../kernel/limits/active-policies.ts';
import { conditionsSchema, groupBySchema } from '../../kernel/limits/conditions.ts';
import { usageLimitsSchema } from '../../kernel/limits/limit-members.ts';
import { type LimitPolicy, type PolicyBucket, toWindow } from '../../kernel/limits/limit-policy.ts';
import { fromWhole, type LimitType, shownUsage } from '../../kernel/limits/usage-limits.ts';
import { warningMembers } from '../../kernel/requests/diagnostic-problems.ts';
import { listSchema, objectSchema, orNull, text, textOrNull, titled } from '../../kernel/requests/replies.ts';
import type { PolicyRow } from '../../kernel/store/tables.ts';

const time = { type: 'string', format: 'date-time' } as const;
const uuid = { type: 'string', format: 'uuid' } as const;
const count = { type: 'number', description: 'US dollars, tokens or requests.' } as const;

const shared = {
  id: uuid,
  name: textOrNull,
  conditions: conditionsSchema,
  group_by: groupBySchema,
  if_unknown: { type: 'string', enum: ['allow', 'refuse'] },
  status: { type: 'string', enum: ['active', 'archived'] },
  ...{ workspace_id: uuid, organisation_id: uuid, created_at: time, last_updated_at: time },
} as const;

const usageOfValue = titled(
  'PolicyUsage',
  objectSchema({
    current_usage: count,
    status: { type: 'string', enum: ['active', 'exhausted'] },
    is_threshold_alerts_sent: { type: 'boolean' },
    is_exhausted_alerts_sent: { type: 'boolean' },
  }),
);

const { credit_limit, type, alert_threshold, periodic_reset, periodic_reset_days } = usageLimitsSchema.properties;

const usage = titled(
  'UsageLimitsPolicy',
  objectSchema(
    {
      object: { const: 'policy_usage_limits' },
      ...shared,
      ...{ type, credit_limit, alert_threshold, periodic_reset, periodic_reset_days },
      last_reset_at: {
        ...orNull(time),
        description: 'When its counters were last reset; null before the first reset.',
      },
      next_usage_reset_at: { ...orNull(time), description: 'When its counters are next reset; null if never.' },
    },
    {
      value_key_usage_map: {
        type: 'object',
        additionalProperties: usageOfValue,
        description: 'What was used, by the values that it groups by. Only with include_usage.',
      },
    },
  ),
);

const rate = titled(
  'RateLimitsPolicy',
  objectSchema({
    object: { const: 'policy_rate_limits' },
    ...shared,
    type: { type: 'string', enum: ['requests', 'tokens'] },
    unit: { type: 'string', enum: ['rpm', 'rph', 'rpd'] },
    value: { type: 'number' },
  }),
);

/** The replies of the routes of one kind of policies. */
interface PolicyReplies {
  readonly made: ParameterSchema;
  readonly policy: ParameterSchema;
  readonly policies: ParameterSchema;
}

const toReplies = (policy: ParameterSchema, object: string): PolicyReplies => ({
  made: {
    anyOf: [
      titled(`Saved${policy.title ?? 'Policy'}`, objectSchema({ id: uuid, object: { const: object } }, warningMembers)),
      titled('TriedPolicy', { type: 'object', properties: warningMembers }),
    ],
    description: 'What was saved; with dry_run, only its warnings.',
  },
  policy,
  policies: listSchema(policy),
});

export const usageReplies: PolicyReplies = toReplies(usage, 'policy_usage_limits');
export const rateReplies: PolicyReplies = toReplies(rate, 'policy_rate_limits');

const countedUnit: ParameterSchema = { type: 'string', enum: ['usd', 'tokens', 'requests'] };

export const entitiesReply: ParameterSchema = listSchema(
  titled(
    'PolicyEntity',
    objectSchema({ id: uuid, value_key: text, current_usage: count, limit: count, unit: countedUnit }),
  ),
);

export const toObject = ({ kind }: Pick<PolicyRow, 'kind'>): string => `policy_${kind}_limits`;

const toTime = (ms: number): string => new Date(ms).toISOString();

const ofUsage = (row: PolicyRow, now: number): JsonObject => {
  if (row.type === 'requests') return {};
  const { start, end } = toWindow(resetOfPolicy(row), now);
  return {
    ...shownUsage({ ...row, type: row.type }),
    last_reset_at: start > row.created_at ? toTime(start) : null,
    next_usage_reset_at: end === undefined ? null : toTime(end),
  };
};

const ofRate = ({ type: counted, unit, amount }: PolicyRow): JsonObject => ({
  ...{ type: counted, unit, value: fromWhole(amount, counted) },
});

/** Returns a policy as it is shown at a time (milliseconds since the epoch). */
export const shownPolicy = (row: PolicyRow, now: number): JsonObject => ({
  object: toObject(row),
  id: row.id,
  name: row.name,
  conditions: fromJson(row.conditions) as Json,
  group_by: fromJson(row.group_by) as Json,
  ...(row.kind === 'usage' ? ofUsage(row, now) : ofRate(row)),
  if_unknown: row.if_unknown,
  status: row.status,
  workspace_id: row.workspace_id,
  organisation_id: row.organisation_id,
  created_at: toTime(row.created_at),
  last_updated_at: toTime(row.updated_at),
});

/** The usage of a policy by one combination of values, as it is shown. */
export interface Entity {
  readonly id: string;
  /**
   * `metadata._user:alice,model:m`; `*` for entities that share a counter because there were too many. A long one ends with its
   * hash.
   */
  readonly value_key: string;
  /** In the unit. */
  readonly current_usage: number;
  /** The maximum that it may use, in the unit. */
  readonly limit: number;
  readonly unit: 'usd' | 'tokens' | 'requests';
}

/**
 * Returns the value key. Commas and backslashes in values are escaped with a backslash, so that the text of each combination is
 * unique.
 */
const valueKey = ({ groupBy }: LimitPolicy, { bucket, values }: PolicyBucket): string =>
  values === undefined
    ? bucket
    : groupBy.map((key, at) => `${key}:${(values[at] ?? '').replaceAll(/[\\,]/g, '\\$&')}`).join(',');

/** Returns a counter as it is shown. Its id has the form of a UUID, and is always the same for the same values. */
export const toEntity = (policy: LimitPolicy, bucket: PolicyBucket, type: LimitType): Entity => ({
  id: createHash('sha256')
    .update(`${policy.id}\n${bucket.bucket}`)
    .digest('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5'),
  value_key: valueKey(policy, bucket),
  current_usage: fromWhole(bucket.used, type),
  limit: fromWhole(policy.limit, type),
  unit: type === 'cost' ? 'usd' : type,
});

/** Returns the usage of a policy by value key. */
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
