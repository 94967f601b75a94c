import type { Flag, JsonText, Millis } from './store-tables.ts';

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

/** An id that a provider has made for a workspace. */
export interface RemoteIdRow {
  workspace_id: string;
  kind: 'file' | 'batch' | 'fine-tuning-job' | 'response';
  remote_id: string;
  /** The saved provider or virtual key whose account has it. */
  slug: string;
  /** The id of the gateway's own file that this one is a copy of; null if it is no copy. */
  uses: string | null;
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

/** The tables of files, of ids that providers have made, and of responses. */
export interface FileTables {
  blobs: BlobRow;
  files: FileRow;
  remote_ids: RemoteIdRow;
  responses: ResponseRow;
  response_events: ResponseEventsRow;
  named_items: NamedItemRow;
}
