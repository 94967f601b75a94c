import { accountHeaders } from '../accounts/account-headers.ts';
import { gcs, s3 } from '../accounts/storage/object-storage.ts';
import { cloudFiles } from './cloud-files.ts';
import { cohereFiles } from './cohere-files.ts';
import { fireworksFiles } from './fireworks-files.ts';
import type { ProviderFileStore } from './provider-file-store.ts';

const keepIds = 'Keep the ids that POST /v1/files answers.';

/** The providers whose files have another form than OpenAI's. */
export const providerFileStores: ReadonlyMap<string, ProviderFileStore> = new Map([
  [
    'bedrock',
    cloudFiles({
      storage: s3,
      keyHeader: accountHeaders.s3Key,
      lacks: { list: keepIds, delete: 'Delete the object in its bucket, or give the bucket a lifecycle rule.' },
    }),
  ],
  ['cohere', cohereFiles],
  ['fireworks-ai', fireworksFiles],
  ['vertex-ai', cloudFiles({ storage: gcs, lacks: { list: keepIds } })],
]);
