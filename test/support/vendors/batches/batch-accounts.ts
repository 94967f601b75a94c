import type { SavedAccount } from '../accounts-world.ts';
import { bedrockKeys } from '../storage/aws-keys.ts';
import { startAnthropicBatches } from './anthropic-batches.ts';
import type { BatchVendor } from './batch-vendor.ts';
import { startBedrockBatches } from './bedrock-batches.ts';
import { startCohereBatches } from './cohere-batches.ts';
import { startMistralBatches } from './mistral-batches.ts';
import { startOpenaiBatches } from './openai-batches.ts';
import { startVertexBatches } from './vertex-batches.ts';

/** An account at a vendor with batches, and the requests for it. */
export interface BatchAccount extends Omit<SavedAccount, 'slug' | 'origin'> {
  /** Defaults to the provider. */
  readonly slug?: string;
  readonly start: () => Promise<BatchVendor>;
  readonly model: string;
  readonly executor: string;
  /** Parameters for which its batches have a place. */
  readonly parameters?: object;
  /** The status of a line that fails. Defaults to 400. */
  readonly failed?: number;
}

const bedrockRow: BatchAccount = {
  provider: 'bedrock',
  settings: { cloudc_s3_bucket: 'jobs-bucket', cloudc_job_role_arn: 'arn:aws:iam::1:role/jobs' },
  credential: bedrockKeys,
  ...{ start: startBedrockBatches, model: 'amazon.nova-lite-v1:0', executor: 'mapped' },
};

const vertexRow: BatchAccount = {
  provider: 'vertex-ai',
  settings: {
    ...{ cloudb_region: 'europe-west4', cloudb_project_id: 'our-project' },
    cloudb_storage_bucket_name: 'jobs-bucket',
  },
  ...{ start: startVertexBatches, model: 'gemini-2.5-flash', executor: 'mapped' },
};

/** Every provider with batches, some of them in several ways. */
export const batchAccounts: readonly BatchAccount[] = [
  {
    provider: 'openai',
    base: '/v1',
    start: startOpenaiBatches,
    model: 'gpt-4o-mini',
    executor: 'native',
  },
  {
    ...{ provider: 'azure-openai', base: '/openai', settings: { resource_name: 'ours' } },
    ...{ start: () => startOpenaiBatches('/openai/v1'), model: 'gpt-4o-mini', executor: 'native' },
  },
  {
    ...{ provider: 'anthropic', base: '/v1', start: startAnthropicBatches, model: 'claude-sonnet-4-5' },
    executor: 'mapped',
  },
  {
    ...{ provider: 'mistral-ai', base: '/v1', start: () => startMistralBatches(), model: 'mistral-small-latest' },
    executor: 'mapped',
  },
  {
    ...{ provider: 'cohere', start: startCohereBatches, model: 'command-a-03-2025', executor: 'mapped' },
    ...{ parameters: {}, failed: 500 },
  },
  bedrockRow,
  { ...bedrockRow, slug: 'uncounted', start: () => startBedrockBatches({ counts: false }) },
  vertexRow,
  { ...vertexRow, slug: 'claude', model: 'claude-sonnet-4-5', start: () => startVertexBatches({ counts: false }) },
];
