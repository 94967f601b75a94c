import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import type { SavedAccount } from '../../support/vendors/accounts-world.ts';
import { startBedrockBatches } from '../../support/vendors/batches/bedrock-batches.ts';
import { startCohereBatches } from '../../support/vendors/batches/cohere-batches.ts';
import { startVertexBatches } from '../../support/vendors/batches/vertex-batches.ts';
import { bedrockKeys } from '../../support/vendors/storage/aws-keys.ts';
import { startFireworksTuning } from '../../support/vendors/tuning/fireworks-tuning.ts';
import { vertexSettings } from '../../support/vendors/tuning/tuning-accounts.ts';

/** An account at a vendor that stores files. */
interface FileAccount extends Omit<SavedAccount, 'slug' | 'origin'> {
  /** The first upstream receives the requests. Files may be stored elsewhere. */
  readonly start: () => Promise<readonly [TestUpstream, ...TestUpstream[]]>;
  readonly purpose: string;
}

/** https://platform.openai.com/docs/api-reference/files */
const startOpenaiFiles = (): Promise<TestUpstream> => {
  const kept = new Map<string, object>();
  return startUpstream((call) => {
    const { method, path } = call.request;
    const [id = '', rest] = path.replace(/^\/v1\/files\/?|\?.*/g, '').split('/');
    const file = kept.get(decodeURIComponent(id));
    if (method === 'POST') {
      const made = {
        id: `file-${kept.size + 1}`,
        object: 'file',
        bytes: 9,
        created_at: 1_790_000_000,
        purpose: 'batch',
      };
      kept.set(made.id, made);
      return call.json(made);
    }
    if (id === '') {
      const data = [...kept.values()].reverse().slice(0, 100);
      return call.json({ object: 'list', data, has_more: false, first_id: null, last_id: null });
    }
    if (file === undefined) return call.json({ error: { message: 'No such file.', param: null } }, { status: 404 });
    if (rest === 'content') return call.answer({ body: 'a line\n' });
    return call.json(method === 'DELETE' ? { id, object: 'file', deleted: true } : file);
  });
};

/** Every provider whose file API differs from OpenAI's, and one with the same API. */
export const fileAccounts: readonly FileAccount[] = [
  { provider: 'openai', base: '/v1', purpose: 'batch', start: async () => [await startOpenaiFiles()] },
  {
    ...{ provider: 'bedrock', settings: { cloudc_s3_bucket: 'jobs-bucket' }, credential: bedrockKeys },
    ...{ purpose: 'fine-tune', start: async () => [(await startBedrockBatches()).upstream] },
  },
  {
    ...{ provider: 'vertex-ai', settings: { ...vertexSettings, cloudb_storage_bucket_name: 'jobs-bucket' } },
    ...{ purpose: 'fine-tune', start: async () => [(await startVertexBatches()).upstream] },
  },
  {
    ...{ provider: 'cohere', purpose: 'batch' },
    start: async () => {
      const { upstream, storage } = await startCohereBatches();
      return [upstream, storage];
    },
  },
  {
    ...{ provider: 'fireworks-ai', settings: { fireworks_account_id: 'ours' } },
    ...{ purpose: 'fine-tune', start: async () => [(await startFireworksTuning()).upstream] },
  },
];
