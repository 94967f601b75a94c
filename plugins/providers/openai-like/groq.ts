import type { JsonObject } from '../../../schema/json/json.ts';
import { defineProvider, type Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

const row: Provider = openaiCompatible({
  id: 'groq',
  documentation: 'https://console.groq.com/docs/openai',
  baseUrl: 'https://api.groq.com/openai/v1',
  operations: ['chat', 'speech', 'transcriptions', 'translations'],
  drop: ['logprobs', 'logit_bias', 'top_logprobs'],
  developers: true,
  // Its content can be texts, images, and documents in its own form. Its tools are functions and tools of its own:
  // https://console.groq.com/docs/api-reference#chat-create
  lacks: ['document', 'audio', 'video', 'custom-tool'],
});

/** Whether a body requests an effort of a Qwen model other than `none`, which switches reasoning off. */
const asksQwenToReason = ({ model, reasoning_effort: effort }: JsonObject): boolean =>
  typeof model === 'string' && /^qwen\//i.test(model) && typeof effort === 'string' && effort !== 'none';

/** https://console.groq.com/docs/openai */
export const groq: Provider = defineProvider({
  ...row,
  losses: [
    ...(row.losses ?? []),
    { member: 'reasoning', why: 'Qwen models either reason or do not: every effort but `none` is sent as `default`.' },
  ],
  // It answers 400 to other efforts of these models: https://console.groq.com/docs/reasoning
  adapt: (body, dialect) =>
    dialect === 'chat' && asksQwenToReason(body) ? { ...body, reasoning_effort: 'default' } : body,
});
