import type { Millis } from './columns.ts';

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

/** The tables of files, and of ids that providers have made. */
export interface FileTables {
  blobs: BlobRow;
  files: FileRow;
  remote_ids: RemoteIdRow;
}
