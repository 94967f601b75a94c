import type { OwnLimitsBody } from '../../kernel/limits/own-limits.ts';
import type { PageQuery } from '../../kernel/records/paging.ts';
import type { KeyKind, KeyStatus } from '../../kernel/store/tables/tables.ts';
import type { StoredDefaults } from '../identity/service-keys/key-principal.ts';

/** When a key is due to be rotated. The gateway does not rotate it by itself: nobody would learn the new key. */
export interface RotationPolicy {
  readonly rotation_period?: 'weekly' | 'monthly';
  /** Seconds since the epoch. */
  readonly next_rotation_at?: number;
}

/** The body of a request that makes a key. */
export interface NewKeyBody extends OwnLimitsBody {
  readonly name: string;
  /** `workspace-service` if absent. */
  readonly kind?: KeyKind;
  /** The organisation of the caller; another one is refused. */
  readonly organisation_id?: string;
  /** The id or slug of its workspace; if absent, the one that the caller acts in. */
  readonly workspace_id?: string;
  /** Whom a key of the kind `workspace-user` is of. */
  readonly user_id?: string;
  readonly scopes: readonly string[];
  readonly defaults?: StoredDefaults;
  /** Seconds since the epoch. */
  readonly expires_at?: number;
  readonly rotation_policy?: RotationPolicy;
}

/** The body of a request that changes a key: what is absent stays, what is null is taken away. */
export interface KeyUpdateBody extends OwnLimitsBody {
  readonly name?: string;
  readonly scopes?: readonly string[];
  readonly defaults?: StoredDefaults;
  readonly expires_at?: number | null;
  readonly rotation_policy?: RotationPolicy | null;
}

/** The body of a request that rotates a key. */
export interface KeyRotationBody {
  /** How long the key before is still accepted, in milliseconds; half an hour if absent. */
  readonly key_transition_period_ms?: number;
}

/** Which keys are listed: of a workspace and in a state where these are there, and a page of them. */
export interface KeyListQuery extends PageQuery {
  /** The id or slug of a workspace. */
  readonly workspace_id?: string;
  readonly status?: KeyStatus;
}
