import type { JsonObject } from '../../../schema/json/json.ts';
import { defineProvider, type Provider } from '../../sdk/provider/provider.ts';
import { chatWithSystemRoles } from '../shared/as-system.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/** Width and height are separate, and images are in `base64`: https://docs.together.ai/reference/post-images-generations */
const imageBody = ({ size, ...body }: JsonObject): JsonObject => {
  const [, width, height] = typeof size === 'string' ? (/^(\d{1,5})x(\d{1,5})$/.exec(size) ?? []) : [];
  return {
    ...body,
    ...(width === undefined || height === undefined ? {} : { width: Number(width), height: Number(height) }),
    ...(body.response_format === 'b64_json' ? { response_format: 'base64' } : {}),
  };
};

const row: Provider = openaiCompatible({
  id: 'together-ai',
  aliases: ['together'],
  documentation: 'https://docs.together.ai/docs/inference/openai-compatibility',
  baseUrl: 'https://api.together.ai/v1',
  operations: ['chat', 'responses', 'completions', 'embeddings', 'rerank', 'images'],
  // It knows only the older name of the token limit: https://docs.together.ai/reference/chat-completions-1
  drop: ['max_completion_tokens'],
  // Only functions are tools: https://docs.together.ai/docs/inference/openai-compatibility
  lacks: ['document', 'custom-tool'],
  // An answer may end with `eos`: https://docs.together.ai/reference/chat-completions-1
  leavesOut: { chat: ['finish-reason'] },
  listedAs: 'together',
  unconfirmed: ['drop', 'stream_options'],
});

/** https://docs.together.ai/docs/inference/openai-compatibility */
export const togetherAi: Provider = defineProvider({
  ...row,
  adaptsOwn: ['images'],
  adapt(body, dialect) {
    if (dialect === 'images') return imageBody(body);
    return chatWithSystemRoles(body, dialect);
  },
});
