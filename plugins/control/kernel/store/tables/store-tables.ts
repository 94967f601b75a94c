/** A JSON text. */
export type JsonText = string;
/** Milliseconds since the epoch. */
export type Millis = number;
/** The limits that something has of its own, as JSON. */
export type OwnLimitsText = JsonText;
/** 0 or 1: neither database is asked for more. */
export type Flag = 0 | 1;

export interface Changing {
  created_at: Millis;
  updated_at: Millis;
}

export interface IdempotencyRow {
  workspace_id: string;
  route: string;
  key: string;
  body_hash: string;
  status: number;
  reply: JsonText;
  created_at: Millis;
}

export interface DataKeyRow {
  id: string;
  tenant: string;
  wrapped: JsonText;
  created_at: Millis;
  retired_at: Millis | null;
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
  feeds: { name: string; version: number };
  /** When what a tenant has saved last changed. */
  tenant_versions: {
    /** The id of a workspace or of an organisation; `everyTenant` for changes of which nobody said whose they are. */
    tenant: string;
    /** The version of the feed 'plans' that the change made. */
    version: number;
  };
  /** When the limits of a tenant last changed. */
  limit_versions: {
    /** The id of a workspace or of an organisation; `everyTenant` for changes of which nobody said whose they are. */
    tenant: string;
    /** The version of the feed 'policies' that the change made. */
    version: number;
  };
  data_keys: DataKeyRow;
  canary: { id: string; wrapped: JsonText };
  settings: { name: string; value: JsonText };
  audit_log: AuditRow;
}
