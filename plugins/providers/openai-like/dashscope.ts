import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/**
 * https://www.alibabacloud.com/help/en/model-studio/compatibility-of-openai-with-dashscope. Other regions have their own hosts:
 * `custom_host: "https://dashscope.aliyuncs.com/compatible-mode/v1"` is Beijing.
 */
export const dashscope: Provider = openaiCompatible({
  id: 'dashscope',
  documentation: 'https://www.alibabacloud.com/help/en/model-studio/compatibility-of-openai-with-dashscope',
  baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
  operations: ['chat', 'responses', 'completions', 'embeddings', 'messages', 'rerank'],
  // https://www.alibabacloud.com/help/en/model-studio/rerank
  paths: { rerank: '/reranks' },
  basePaths: { messages: '/apps/anthropic/v1', rerank: '/compatible-api/v1' },
  // https://www.alibabacloud.com/help/en/model-studio/embedding-interfaces-compatible-with-openai
  maxTexts: (model = '') => (/^text-embedding-v[12]$/.test(model) ? 25 : 10),
  unconfirmed: ['drop', 'lacks'],
});
