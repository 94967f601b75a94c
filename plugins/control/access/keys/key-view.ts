import { fromJson } from '../../../../schema/json/from-json.ts';
import { type ShownLimits, shownLimits, storedLimits } from '../../kernel/limits/own-limits.ts';
import { secondsOrNull, toSeconds } from '../../kernel/requests/to-seconds.ts';
import type { KeyKind, KeyRow, KeyStatus } from '../../kernel/store/tables/tables.ts';
import { heldScopes, type StoredDefaults } from '../identity/service-keys/key-principal.ts';
import type { RotationPolicy } from './key-bodies.ts';

/** A key as it is shown. Times are seconds since the epoch. */
export interface KeyView extends ShownLimits {
  readonly object: 'api-key';
  readonly id: string;
  readonly name: string;
  /** Its mask: the key itself is shown once, when it is made. */
  readonly key: string;
  readonly kind: KeyKind;
  readonly organisation_id: string;
  readonly workspace_id: string | null;
  readonly user_id: string | null;
  readonly scopes: readonly string[];
  readonly defaults: StoredDefaults;
  readonly status: KeyStatus;
  readonly expires_at: number | null;
  readonly rotation_policy: RotationPolicy | null;
  /** Until when the key before the last rotation is accepted. */
  readonly key_transition_expires_at: number | null;
  readonly created_by: string | null;
  /** The keys whose limits hold for it as well, since they made it; absent where there are none. */
  readonly shares_limits_of?: readonly string[];
  readonly created_at: number;
  readonly last_updated_at: number;
}

/** A key that was just made; `key` is not shown again. */
export interface MadeKey {
  readonly object: 'api-key';
  readonly id: string;
  readonly key: string;
}

export interface RotatedKey extends MadeKey {
  /** Until when the key before is accepted, in seconds since the epoch. */
  readonly key_transition_expires_at: number | null;
}

export interface KeyList {
  readonly object: 'list';
  readonly total: number;
  readonly data: readonly KeyView[];
}

/** How keys are shown: at which time, and which of them have used up what they may use. */
export interface KeyViewOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Ids. */
  readonly exhausted: ReadonlySet<string>;
}

const sharedLimits = ({ limits }: KeyRow): Pick<KeyView, 'shares_limits_of'> => {
  const { shares } = storedLimits(limits);
  return shares === undefined ? {} : { shares_limits_of: shares };
};

export const toKeyView = (row: KeyRow, { now, exhausted }: KeyViewOptions): KeyView => ({
  object: 'api-key',
  id: row.id,
  name: row.name,
  key: row.mask,
  kind: row.kind,
  organisation_id: row.organisation_id,
  workspace_id: row.workspace_id,
  user_id: row.user_id,
  scopes: heldScopes(row),
  // The store has only what the rules let in.
  defaults: fromJson(row.defaults) as StoredDefaults,
  status: row.status === 'active' && exhausted.has(row.id) ? 'exhausted' : row.status,
  ...shownLimits(row.limits, now),
  expires_at: secondsOrNull(row.expires_at),
  rotation_policy: row.rotation === null ? null : (fromJson(row.rotation) as RotationPolicy),
  key_transition_expires_at: secondsOrNull(row.previous_until),
  created_by: row.created_by,
  ...sharedLimits(row),
  created_at: toSeconds(row.created_at),
  last_updated_at: toSeconds(row.updated_at),
});
