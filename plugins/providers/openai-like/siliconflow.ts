import { defineProvider, type Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

const row: Provider = openaiCompatible({
  id: 'siliconflow',
  documentation: 'https://docs.siliconflow.cn/en/api-reference/chat-completions/chat-completions',
  baseUrl: 'https://api.siliconflow.cn/v1',
  operations: ['chat', 'embeddings', 'rerank'],
  unconfirmed: ['drop', 'lacks', 'developers', 'stream_options', 'errors'],
});

/** https://docs.siliconflow.cn/en/api-reference/chat-completions/chat-completions */
export const siliconflow: Provider = defineProvider({
  ...row,
  speaks: { ...row.speaks, 'siliconflow-images': '/images/generations' },
});
