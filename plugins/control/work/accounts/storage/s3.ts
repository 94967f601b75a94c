import { accountHeaders } from '../account-headers.ts';
import type { CloudStorage } from './cloud-storage.ts';
import { objectStorage } from './object-storage.ts';
import { s3Encryption } from './s3-encryption.ts';

/** Amazon S3, which Bedrock reads: https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html */
export const s3: CloudStorage = objectStorage({
  scheme: 's3',
  setting: 'cloudc_s3_bucket',
  header: accountHeaders.s3Bucket,
  noteHeader: 'x-amz-meta-gatewright',
  writing: s3Encryption,
  isBucket: (name) => /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name),
});
