import { accountHeaders } from '../account-headers.ts';
import type { CloudStorage } from './cloud-storage.ts';
import { objectStorage } from './object-storage.ts';

/**
 * Google Cloud Storage, which Vertex AI reads, by the interface that it has in common with S3:
 * https://cloud.google.com/storage/docs/xml-api/overview
 */
export const gcs: CloudStorage = objectStorage({
  scheme: 'gs',
  setting: 'cloudb_storage_bucket_name',
  header: accountHeaders.gcsBucket,
  noteHeader: 'x-goog-meta-gatewright',
  isBucket: (name) => /^[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]$/.test(name),
});
