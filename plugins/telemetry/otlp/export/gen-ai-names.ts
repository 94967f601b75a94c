import type { Operation } from '../../../sdk/exchange/exchange.ts';

/** Providers that have other names in the conventions of OpenTelemetry. All others have their own ids. */
const providers: ReadonlyMap<string, string> = new Map([
  ['azure-ai', 'azure.ai.inference'],
  ['azure-openai', 'azure.ai.openai'],
  ['bedrock', 'aws.bedrock'],
  ['google', 'gcp.gemini'],
  ['mistral-ai', 'mistral_ai'],
  ['moonshot', 'moonshot_ai'],
  ['perplexity-ai', 'perplexity'],
  ['vertex-ai', 'gcp.vertex_ai'],
  ['watsonx', 'ibm.watsonx.ai'],
  ['x-ai', 'x_ai'],
]);

/** Returns the `gen_ai.provider.name` of a provider's id. */
export const providerName = (id: string): string => providers.get(id) ?? id;

/** The `gen_ai.operation.name` of each operation. The conventions only define the first three. */
export const operationNames: { readonly [Each in Operation]: string } = {
  converse: 'chat',
  complete: 'text_completion',
  count: 'count_tokens',
  embed: 'embeddings',
  rerank: 'rerank',
  moderate: 'moderation',
  image: 'image',
  speech: 'speech',
  transcribe: 'transcription',
  ocr: 'ocr',
  opaque: 'pass_through',
};
