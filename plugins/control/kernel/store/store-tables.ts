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
  /** A list of names and values, each after its name; null where the reply has none of its own. */
  headers: JsonText | null;
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

/** A session of the console. */
export interface SessionRow {
  /** The SHA-256 of its token, in hexadecimal digits. */
  id: string;
  key_id: string;
  /** The SHA-256 of the key as it was when the session began: one that is rotated has another. */
  key_hash: string;
  created_at: Millis;
  expires_at: Millis;
  /** When it ended before that. */
  ended_at: Millis | null;
  updated_at: Millis;
}

/** Sealed bytes in a folder or a bucket. */
export interface BlobRow {
  id: string;
  /** The id of a workspace, which may be gone. */
  tenant: string;
  /** `loose`: nobody has noted it yet, or nobody does any more. */
  state: 'loose' | 'kept';
  since: Millis;
}

export interface FileRow {
  id: string;
  workspace_id: string;
  /** Empty until it is known. */
  purpose: string;
  filename: string;
  /** While it is uploaded, how many it may have. */
  bytes: number;
  state: 'uploading' | 'kept';
  /** Where its bytes are; absent while it is uploaded. */
  blob_id: string | null;
  blob_key: string | null;
  sha256: string | null;
  created_by: string | null;
  created_at: Millis;
  expires_at: Millis | null;
}

export type RemoteKind = 'file' | 'batch' | 'fine-tuning-job' | 'response';

/** An id that a provider has made for a workspace. */
export interface RemoteIdRow {
  workspace_id: string;
  /**
   * Of the first account of a workspace that gave the id, the kind alone. Of each further one it ends with its slug: the key of the
   * table, which processes of older programs name in their statements, has no account.
   */
  kind: RemoteKind | `${RemoteKind}@${string}`;
  remote_id: string;
  /** The saved provider or virtual key whose account has it. */
  slug: string;
  /** The id of the gateway's own file that this one is a copy of; null if it is no copy. */
  uses: string | null;
  /** Stands for the account of the key with which it was made, where its provider has keys of several accounts. */
  account: string | null;
  created_by: string | null;
  created_at: Millis;
}

/** A response of a model that is kept, with the input of its request. */
export interface ResponseRow {
  workspace_id: string;
  id: string;
  /** The response that it continues. */
  previous_id: string | null;
  /** The saved provider or virtual key that made it. */
  slug: string | null;
  /** The scope of bound values that it has without one. */
  scope: string | null;
  /** Stands for the account of the key that made it, where its provider has keys of several accounts. */
  account: string | null;
  /** Whether its provider has it too, under the same id. */
  is_native: Flag;
  status: string;
  /** Of the response and its input, as JSON. */
  bytes: number;
  /** Sealed. */
  response: JsonText;
  /** Sealed: what the request had as its input. */
  input: JsonText;
  /** Sealed: the request of a response that is made in the background; absent for others. */
  request: JsonText | null;
  created_by: string | null;
  created_at: Millis;
  expires_at: Millis;
}

/** Some events of a response that is made in the background. */
export interface ResponseEventsRow {
  workspace_id: string;
  response_id: string;
  /** The sequence number of the first, and that behind the last. */
  number: number;
  following: number;
  /** Sealed: a list. */
  events: JsonText;
}

/** An item of an answer, which later requests of its owner may name by its id alone. */
export interface NamedItemRow {
  workspace_id: string;
  /** A fingerprint of the credential that its request brought; empty for those of the workspace. */
  owner: string;
  id: string;
  created_at: Millis;
  /** Of the item as it is kept. */
  bytes: number;
  /** Sealed. */
  item: JsonText;
}

/** The tables that the store has for itself, its audit log, and those of files, of ids that providers have made, and of responses. */
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
  sessions: SessionRow;
  blobs: BlobRow;
  files: FileRow;
  remote_ids: RemoteIdRow;
  responses: ResponseRow;
  response_events: ResponseEventsRow;
  named_items: NamedItemRow;
}
