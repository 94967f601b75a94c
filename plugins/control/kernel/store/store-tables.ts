/** A JSON text. */
export type JsonText = string;
/** Milliseconds since the epoch. */
export type Millis = number;
/** The limits of a record itself, as JSON. */
export type OwnLimitsText = JsonText;
/** A boolean, stored as 0 or 1 in both databases. */
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
  /** A list of names and values, each value after its name; null if the reply has no headers of its own. */
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
  /** Absent if it concerns the whole organisation. */
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
  /** The SHA-256 of the key as it was when the session began. It differs after the key is rotated. */
  key_hash: string;
  created_at: Millis;
  expires_at: Millis;
  /** When it ended early. */
  ended_at: Millis | null;
  updated_at: Millis;
}

/** Sealed bytes in a folder or a bucket. */
export interface BlobRow {
  id: string;
  /** The id of a workspace, which may have been deleted. */
  tenant: string;
  /** `loose`: nothing refers to it yet, or nothing does any longer. */
  state: 'loose' | 'kept';
  since: Millis;
}

export interface FileRow {
  id: string;
  workspace_id: string;
  /** Empty until known. */
  purpose: string;
  filename: string;
  /** The number of bytes; during an upload, the maximum. */
  bytes: number;
  state: 'uploading' | 'kept';
  /** Where its bytes are; absent during an upload. */
  blob_id: string | null;
  blob_key: string | null;
  sha256: string | null;
  created_by: string | null;
  created_at: Millis;
  expires_at: Millis | null;
}

export type RemoteKind = 'file' | 'batch' | 'fine-tuning-job' | 'response';

/** An id that a provider has created for a workspace. */
export interface RemoteIdRow {
  workspace_id: string;
  /**
   * For the first account of a workspace that used the id, only the kind. For each further account, it ends with the account's
   * slug, because the primary key of the table, which older programs name in their statements, does not include the account.
   */
  kind: RemoteKind | `${RemoteKind}@${string}`;
  remote_id: string;
  /** The saved provider or virtual key whose account has it. */
  slug: string;
  /** The id of the gateway's own file that this one is a copy of; null if it is not a copy. */
  uses: string | null;
  /** Identifies the account of the key that it was created with, if its provider has keys of several accounts. */
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
  /** The scope of its bound values, if it has no slug. */
  scope: string | null;
  /** Identifies the account of the key that created it, if its provider has keys of several accounts. */
  account: string | null;
  /** Whether its provider has stored it too, under the same id. */
  is_native: Flag;
  status: string;
  /** The size of the response and its input, as JSON. */
  bytes: number;
  /** Sealed. */
  response: JsonText;
  /** Sealed: the input of the request. */
  input: JsonText;
  /** Sealed: the request of a response that is generated in the background; absent for others. */
  request: JsonText | null;
  created_by: string | null;
  created_at: Millis;
  expires_at: Millis;
}

/** Some events of a response that is generated in the background. */
export interface ResponseEventsRow {
  workspace_id: string;
  response_id: string;
  /** The sequence number of the first event, and the number after the last. */
  number: number;
  following: number;
  /** Sealed: a list. */
  events: JsonText;
}

/** An item of an answer that later requests of its owner may name by its id alone. */
export interface NamedItemRow {
  workspace_id: string;
  /** A fingerprint of the credential that the request contained; empty for items of the workspace. */
  owner: string;
  id: string;
  created_at: Millis;
  /** The size of the item as stored. */
  bytes: number;
  /** Sealed. */
  item: JsonText;
}

/** The tables of the store itself, of the audit log, of files, of ids that providers have created, and of responses. */
export interface StoreTables {
  idempotency: IdempotencyRow;
  feeds: { name: string; version: number };
  /** When the saved records of a tenant last changed. */
  tenant_versions: {
    /** The id of a workspace or of an organisation; `everyTenant` for changes that named no tenant. */
    tenant: string;
    /** The version of the feed 'plans' that the change created. */
    version: number;
  };
  /** When the limits of a tenant last changed. */
  limit_versions: {
    /** The id of a workspace or of an organisation; `everyTenant` for changes that named no tenant. */
    tenant: string;
    /** The version of the feed 'policies' that the change created. */
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
