/** Headers of requests for files and jobs that say what the account of their provider does not. */
export const accountHeaders = {
  batchEndpoint: 'x-gw-provider-batch-endpoint',
  encryption: 'x-gw-amz-server-side-encryption',
  encryptionKey: 'x-gw-amz-server-side-encryption-aws-kms-key-id',
  fileName: 'x-gw-provider-file-name',
  gcsBucket: 'x-gw-cloudb-storage-bucket-name',
  model: 'x-gw-provider-model',
  s3Bucket: 'x-gw-cloudc-s3-bucket',
  s3Key: 'x-gw-cloudc-s3-object-key',
  uploadSize: 'x-gw-file-upload-size',
} as const;
