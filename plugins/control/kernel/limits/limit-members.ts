import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { orNull } from '../requests/replies.ts';

/** The schemas of limits, shared by policies, keys, workspaces, providers and integrations. */

/** The usage limit of a record itself, in request bodies and in responses. */
export const usageLimitsSchema = {
  title: 'UsageLimits',
  type: 'object',
  description: 'How much may be used.',
  required: ['credit_limit', 'type'],
  properties: {
    credit_limit: {
      type: 'number',
      minimum: 0,
      description: 'US dollars with at most nine decimal places, or whole tokens.',
    },
    type: {
      type: 'string',
      enum: ['cost', 'tokens'],
      description: 'What is counted: US dollars, or input and output tokens together.',
    },
    alert_threshold: {
      anyOf: [{ type: 'number', minimum: 0 }, { type: 'null' }],
      description: 'The amount at which the operator is notified; it is below credit_limit.',
    },
    periodic_reset: {
      enum: ['monthly', 'weekly', null],
      description: 'When counters are reset; never, if neither this nor periodic_reset_days is set.',
    },
    periodic_reset_days: {
      anyOf: [{ type: 'integer', minimum: 1, maximum: 365 }, { type: 'null' }],
      description: 'A period in days, instead of periodic_reset.',
    },
    next_usage_reset_at: {
      anyOf: [{ type: 'integer', minimum: 0, maximum: 99_999_999_999 }, { type: 'null' }],
      description:
        'When counters are next reset, in seconds since the epoch. periodic_reset_days are counted from then on.',
    },
  },
} as const;

/** The rate limits of a record itself, in request bodies and in responses. */
export const rateLimitsSchema = {
  type: 'array',
  description: 'How many requests or tokens are let through.',
  maxItems: 10,
  items: {
    title: 'RateLimit',
    type: 'object',
    required: ['type', 'unit', 'value'],
    properties: {
      type: { type: 'string', enum: ['requests', 'tokens'], description: 'What is counted.' },
      unit: {
        type: 'string',
        enum: ['rps', 'rpm', 'rph', 'rpd', 'rpw'],
        description: 'Per second, minute, hour, day or week.',
      },
      value: {
        type: 'number',
        minimum: 0,
        description: 'How many are let through in each period. 0 lets nothing through.',
      },
    },
  },
} as const;

/** The limits of a record itself, in request bodies. In a change, null removes a stored limit. */
export const ownLimitMembers: {
  readonly rate_limits: ReturnType<typeof orNull<typeof rateLimitsSchema>>;
  readonly usage_limits: ReturnType<typeof orNull<typeof usageLimitsSchema>>;
} = { rate_limits: orNull(rateLimitsSchema), usage_limits: orNull(usageLimitsSchema) };

/** The same members in responses. */
export const ownLimitReplies: {
  readonly rate_limits: ParameterSchema;
  readonly usage_limits: ParameterSchema;
} = { rate_limits: rateLimitsSchema, usage_limits: orNull(usageLimitsSchema) };
