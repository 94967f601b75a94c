import type { SavedAccount } from '../accounts-world.ts';
import { bedrockKeys } from '../storage/aws-keys.ts';
import { startBedrockTuning } from './bedrock-tuning.ts';
import { startFireworksTuning } from './fireworks-tuning.ts';
import { startOpenaiTuning } from './openai-tuning.ts';
import type { TuningVendor } from './tuning-vendor.ts';
import { startVertexTuning } from './vertex-tuning.ts';

/** An account at a vendor with fine-tuning, and the requests for it. */
export interface TuningAccount extends Omit<SavedAccount, 'slug' | 'origin'> {
  readonly start: () => Promise<TuningVendor>;
  readonly model: string;
  readonly trainingFile: string;
  /** Members that only this provider accepts. */
  readonly more?: object;
}

/** The settings of an account at Vertex AI. */
export const vertexSettings: Readonly<Record<string, string>> = {
  cloudb_region: 'europe-west4',
  cloudb_project_id: 'our-project',
};

/** Every provider with fine-tuning. */
export const tuningAccounts: readonly TuningAccount[] = [
  {
    ...{ provider: 'openai', base: '/v1', start: startOpenaiTuning },
    ...{ model: 'gpt-4o-mini', trainingFile: 'file-abc' },
  },
  {
    provider: 'azure-openai',
    base: '/openai',
    settings: { resource_name: 'ours' },
    start: () => startOpenaiTuning({ base: '/openai/v1', cancelled: 'canceled', waiting: 'pending' }),
    ...{ model: 'gpt-4o-mini', trainingFile: 'file-abc-azure' },
  },
  {
    provider: 'bedrock',
    settings: { cloudc_region: 'us-east-1' },
    credential: bedrockKeys,
    start: startBedrockTuning,
    more: { role_arn: 'arn:aws:iam::1:role/tuning' },
    ...{ model: 'amazon.nova-lite-v1:0', trainingFile: 's3://bucket/folder/train.jsonl' },
  },
  {
    provider: 'vertex-ai',
    settings: vertexSettings,
    start: startVertexTuning,
    ...{ model: 'gemini-2.5-flash', trainingFile: 'gs://bucket/train.jsonl' },
  },
  {
    provider: 'fireworks-ai',
    settings: { fireworks_account_id: 'ours' },
    start: startFireworksTuning,
    ...{ model: 'llama-v3p1-8b-instruct', trainingFile: 'our-dataset' },
  },
];
