import { anthropicBatches } from './anthropic.ts';
import type { BatchAdapter } from './batch-adapter.ts';
import { bedrockBatches } from './bedrock.ts';
import { cohereBatches } from './cohere.ts';
import { mistralBatches } from './mistral-ai.ts';
import { vertexBatches } from './vertex-ai.ts';

/** The providers that run batches in their own form. */
export const batchAdapters: ReadonlyMap<string, BatchAdapter> = new Map([
  ['anthropic', anthropicBatches],
  ['bedrock', bedrockBatches],
  ['cohere', cohereBatches],
  ['mistral-ai', mistralBatches],
  ['vertex-ai', vertexBatches],
]);
