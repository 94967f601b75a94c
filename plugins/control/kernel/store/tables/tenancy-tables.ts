import type { Changing, JsonText, Millis, OwnLimitsText } from './columns.ts';

export interface OrganisationRow extends Changing {
  id: string;
  name: string;
  settings: JsonText;
}

export interface WorkspaceRow extends Changing {
  id: string;
  organisation_id: string;
  slug: string;
  name: string;
  settings: JsonText;
  limits: OwnLimitsText | null;
}

export type KeyKind = 'organisation' | 'workspace-service' | 'workspace-user';
export type KeyStatus = 'active' | 'exhausted' | 'revoked';

export interface KeyRow extends Changing {
  id: string;
  organisation_id: string;
  /** Absent for keys of an organisation. */
  workspace_id: string | null;
  kind: KeyKind;
  user_id: string | null;
  name: string;
  /** SHA-256 of the whole key, in hexadecimal digits. */
  hash: string;
  /** What people see of it. */
  mask: string;
  scopes: JsonText;
  defaults: JsonText;
  status: KeyStatus;
  expires_at: Millis | null;
  /** The key before it was rotated, and until when that is accepted. */
  previous_hash: string | null;
  previous_until: Millis | null;
  rotation: JsonText | null;
  created_by: string | null;
  limits: OwnLimitsText | null;
}

export interface PolicyRow extends Changing {
  id: string;
  organisation_id: string;
  workspace_id: string;
  kind: 'usage' | 'rate';
  name: string | null;
  conditions: JsonText;
  group_by: JsonText;
  /** Of usage limits `cost` or `tokens`, of rate limits `requests` or `tokens`. */
  type: 'cost' | 'tokens' | 'requests';
  /** Of rate limits. */
  unit: 'rpm' | 'rph' | 'rpd' | null;
  /** Whole: billionths of a US dollar where the type is `cost`. */
  amount: number;
  alert_at: number | null;
  periodic_reset: 'monthly' | 'weekly' | null;
  reset_days: number | null;
  /** From when these days are counted. */
  reset_from: Millis | null;
  if_unknown: 'allow' | 'refuse';
  status: 'active' | 'archived';
}

/** The tables of organisations, workspaces, keys and policies. */
export interface TenancyTables {
  organisations: OrganisationRow;
  workspaces: WorkspaceRow;
  keys: KeyRow;
  policies: PolicyRow;
}
