import type { JsonText, Millis } from './columns.ts';

export interface IdempotencyRow {
  workspace_id: string;
  route: string;
  key: string;
  body_hash: string;
  status: number;
  reply: JsonText;
  created_at: Millis;
}

export interface FeedRow {
  name: string;
  version: number;
}

/** When what a tenant has saved last changed. */
export interface TenantVersionRow {
  /** The id of a workspace or of an organisation; `everyTenant` for changes of which nobody said whose they are. */
  tenant: string;
  /** The version of the feed 'plans' that the change made. */
  version: number;
}

/** When the limits of a tenant last changed. */
export interface LimitVersionRow {
  /** The id of a workspace or of an organisation; `everyTenant` for changes of which nobody said whose they are. */
  tenant: string;
  /** The version of the feed 'policies' that the change made. */
  version: number;
}

export interface DataKeyRow {
  id: string;
  tenant: string;
  wrapped: JsonText;
  created_at: Millis;
  retired_at: Millis | null;
}

export interface CanaryRow {
  id: string;
  wrapped: JsonText;
}

export interface SettingRow {
  name: string;
  value: JsonText;
}

/** A change of a saved record, or a limit that was reached. */
export interface AuditRow {
  id: string;
  at: Millis;
  organisation_id: string;
  /** Absent for what concerns the whole organisation. */
  workspace_id: string | null;
  method: string;
  uri: string;
  /** The id of a key, or `gateway`. */
  actor: string;
  resource_type: string;
  action: string;
  status: number;
  client_ip: string | null;
  detail: JsonText | null;
}

/** The tables that the store has for itself, and its audit log. */
export interface StoreTables {
  idempotency: IdempotencyRow;
  feeds: FeedRow;
  tenant_versions: TenantVersionRow;
  limit_versions: LimitVersionRow;
  data_keys: DataKeyRow;
  canary: CanaryRow;
  settings: SettingRow;
  audit_log: AuditRow;
}
