import { fromJson } from '../../../../schema/json/from-json.ts';
import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { ownLimitReplies } from '../../kernel/limits/limit-members.ts';
import { type OwnLimitsBody, type ShownLimits, shownLimits, storedLimits } from '../../kernel/limits/own-limits.ts';
import { isExpired } from '../../kernel/records/is-expired.ts';
import type { PageQuery } from '../../kernel/records/records.ts';
import { listSchema, objectSchema, orNull, seconds, text, textOrNull, titled } from '../../kernel/requests/replies.ts';
import { secondsOrNull, toSeconds } from '../../kernel/requests/to-seconds.ts';
import type { KeyKind, KeyRow } from '../../kernel/store/tables.ts';
import { heldScopes, type StoredDefaults } from './key-principal.ts';

/** The members of keys, as schemas for both requests and responses. */

export const kindSchema = { type: 'string', enum: ['organisation', 'workspace-service', 'workspace-user'] } as const;

export const statusSchema = { type: 'string', enum: ['active', 'exhausted', 'expired', 'revoked'] } as const;

/** At most a hundred ids, so that one condition of a query holds them. */
export const idsSchema = {
  type: 'string',
  maxLength: 4000,
  description: 'Only the keys with these ids, separated by commas.',
} as const;

/** The status of a key at a time: a key that has expired is stored as it was before. */
export type ShownStatus = (typeof statusSchema.enum)[number];

export const scopesSchema = {
  type: 'array',
  items: { type: 'string' },
  maxItems: 200,
  description: 'What the key may do, as "resource.verb". A caller can grant only scopes that it has itself.',
} as const;

export const defaultsSchema = {
  type: 'object',
  description: 'Settings for requests with this key that do not, or may not, specify them.',
  properties: {
    metadata: {
      type: 'object',
      additionalProperties: { type: 'string' },
      maxProperties: 100,
      description: 'Labels. They override those of the request.',
    },
    config_id: { type: 'string', description: 'The config for requests that name neither a config nor a provider.' },
    allow_config_override: {
      type: 'boolean',
      description: 'If false, every request is served by config_id. True if absent.',
    },
    priority: {
      type: 'string',
      enum: ['low', 'normal', 'high'],
      description:
        'The highest priority of its requests when an overloaded gateway cannot serve all of them; normal if absent. A caller limited to one workspace cannot grant a higher priority than its own.',
    },
  },
} as const;

export const rotationPolicySchema = {
  type: 'object',
  description: 'When the key is due to be rotated. It is not rotated automatically.',
  properties: {
    rotation_period: { type: 'string', enum: ['weekly', 'monthly'] },
    next_rotation_at: { type: 'integer', description: 'Seconds since the epoch.' },
  },
} as const;

const made = {
  object: { const: 'api-key' },
  id: text,
  key: { type: 'string', description: 'The key itself. It is not shown again.' },
} as const;

/** A key that was just created. */
export const madeKeySchema: ParameterSchema = titled('CreatedApiKey', objectSchema(made));

export const rotatedKeySchema: ParameterSchema = titled(
  'RotatedApiKey',
  objectSchema({ ...made, key_transition_expires_at: seconds }),
);

/** A key as it is shown. */
export const keySchema: ParameterSchema = titled(
  'ApiKey',
  objectSchema(
    {
      object: { const: 'api-key' },
      id: text,
      name: text,
      key: { type: 'string', description: 'The masked key.' },
      kind: kindSchema,
      organisation_id: text,
      workspace_id: textOrNull,
      user_id: textOrNull,
      scopes: scopesSchema,
      defaults: defaultsSchema,
      status: statusSchema,
      ...ownLimitReplies,
      expires_at: orNull(seconds),
      rotation_policy: orNull(rotationPolicySchema),
      key_transition_expires_at: orNull(seconds),
      created_by: textOrNull,
      created_at: seconds,
      last_updated_at: seconds,
    },
    {
      shares_limits_of: {
        type: 'array',
        items: text,
        description: 'The keys whose limits also apply to this one, because they created it; absent if there are none.',
      },
    },
  ),
);

export const keyPageSchema: ParameterSchema = listSchema(keySchema);

/** A key as it is shown. Times are in seconds since the epoch. */
export interface KeyView extends ShownLimits {
  readonly object: 'api-key';
  readonly id: string;
  readonly name: string;
  /** Its mask. The key itself is shown only once, when it is created. */
  readonly key: string;
  readonly kind: KeyKind;
  readonly organisation_id: string;
  readonly workspace_id: string | null;
  readonly user_id: string | null;
  readonly scopes: readonly string[];
  readonly defaults: StoredDefaults;
  readonly status: ShownStatus;
  readonly expires_at: number | null;
  readonly rotation_policy: RotationPolicy | null;
  /** Until when the previous key is accepted after a rotation. */
  readonly key_transition_expires_at: number | null;
  readonly created_by: string | null;
  /** The keys whose limits also apply to this one, because they created it; absent if there are none. */
  readonly shares_limits_of?: readonly string[] | undefined;
  readonly created_at: number;
  readonly last_updated_at: number;
}

/** A key that was just created; `key` is not shown again. */
export interface MadeKey {
  readonly object: 'api-key';
  readonly id: string;
  readonly key: string;
}

export interface RotatedKey extends MadeKey {
  /** Until when the previous key is accepted, in seconds since the epoch. */
  readonly key_transition_expires_at: number | null;
}

/** The time of an answer, in milliseconds since the epoch, and the ids of the keys whose limits are used up. */
interface StatusFacts {
  readonly now: number;
  readonly exhausted: ReadonlySet<string>;
}

const toStatus = (row: KeyRow, { now, exhausted }: StatusFacts): ShownStatus => {
  if (row.status !== 'revoked' && isExpired(row, now)) return 'expired';
  return row.status === 'active' && exhausted.has(row.id) ? 'exhausted' : row.status;
};

/**
 * Returns a key as it is shown at a time (milliseconds since the epoch). `exhausted` contains the ids of the keys whose limits
 * are used up.
 */
export const toKeyView = (row: KeyRow, { now, exhausted }: StatusFacts): KeyView => ({
  object: 'api-key',
  id: row.id,
  name: row.name,
  key: row.mask,
  kind: row.kind,
  organisation_id: row.organisation_id,
  workspace_id: row.workspace_id,
  user_id: row.user_id,
  scopes: heldScopes(row),
  // The store contains only what the rules accepted.
  defaults: fromJson(row.defaults) as StoredDefaults,
  status: toStatus(row, { now, exhausted }),
  ...shownLimits(row.limits, now),
  expires_at: secondsOrNull(row.expires_at),
  rotation_policy: row.rotation === null ? null : (fromJson(row.rotation) as RotationPolicy),
  key_transition_expires_at: secondsOrNull(row.previous_until),
  created_by: row.created_by,
  shares_limits_of: storedLimits(row.limits).shares,
  created_at: toSeconds(row.created_at),
  last_updated_at: toSeconds(row.updated_at),
});

/** When a key is due to be rotated. The gateway does not rotate it automatically, because nobody would receive the new key. */
export interface RotationPolicy {
  readonly rotation_period?: 'weekly' | 'monthly';
  /** Seconds since the epoch. */
  readonly next_rotation_at?: number;
}

/** The body of a request that creates a key. */
export interface NewKeyBody extends OwnLimitsBody {
  readonly name: string;
  /** `workspace-service` if absent. */
  readonly kind?: KeyKind;
  /** The organisation of the caller; any other is refused. */
  readonly organisation_id?: string;
  /** The id or slug of its workspace; if absent, the one that the caller acts in. */
  readonly workspace_id?: string;
  /** The user of a key of the kind `workspace-user`. */
  readonly user_id?: string;
  readonly scopes: readonly string[];
  readonly defaults?: StoredDefaults;
  /** Seconds since the epoch. */
  readonly expires_at?: number;
  readonly rotation_policy?: RotationPolicy;
}

/** The body of a request that changes a key. Absent members stay as they are, and null removes a value. */
export interface KeyUpdateBody extends OwnLimitsBody {
  readonly name?: string;
  readonly scopes?: readonly string[];
  readonly defaults?: StoredDefaults;
  readonly expires_at?: number | null;
  readonly rotation_policy?: RotationPolicy | null;
}

/** The body of a request that rotates a key. */
export interface KeyRotationBody {
  /** How long the previous key is still accepted, in milliseconds; half an hour if absent. */
  readonly key_transition_period_ms?: number;
}

/** Selects the keys to list, by workspace, status, a text in the name and ids if set, and a page of them. */
export interface KeyListQuery extends PageQuery {
  /** Lists only the keys after the one with this id. */
  readonly after?: string;
  /** The id or slug of a workspace. */
  readonly workspace_id?: string;
  readonly status?: ShownStatus;
  /** A text in the name, in any case of ASCII letters. */
  readonly search?: string;
  /** Ids, separated by commas. */
  readonly ids?: string;
}
