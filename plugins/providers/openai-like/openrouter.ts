import type { Provider } from '../../sdk/provider/provider.ts';
import { onlyOpenaiCalls } from '../shared/only-openai-calls.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/** https://openrouter.ai/docs/api/reference/overview */
export const openrouter: Provider = openaiCompatible({
  id: 'openrouter',
  documentation: 'https://openrouter.ai/docs/api/reference/overview',
  baseUrl: 'https://openrouter.ai/api/v1',
  operations: ['chat', 'responses', 'completions', 'embeddings', 'messages', 'rerank', 'images', 'speech'],
  // https://openrouter.ai/docs/client-sdks/typescript/sdks/images/README
  paths: { images: '/images' },
  // https://openrouter.ai/docs/features/multimodal/pdfs
  loadsFiles: true,
  // Every stream ends with usage: https://openrouter.ai/docs/use-cases/usage-accounting
  alwaysReportsUsage: true,
  unconfirmed: ['drop', 'developers'],
  // Its own paths create keys: https://openrouter.ai/docs/features/provisioning-api-keys
  changesAccount: onlyOpenaiCalls,
});
