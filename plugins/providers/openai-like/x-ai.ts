import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/** https://docs.x.ai/developers/rest-api-reference/inference */
export const xAi: Provider = openaiCompatible({
  id: 'x-ai',
  aliases: ['xai', 'grok'],
  documentation: 'https://docs.x.ai/developers/rest-api-reference/inference',
  baseUrl: 'https://api.x.ai/v1',
  operations: ['chat', 'responses', 'completions', 'messages', 'images'],
  models: ['grok-'],
  // https://docs.x.ai/docs/guides/voice/agent
  hasRealtime: true,
  // Models that reason, which all current ones do, answer 400 to these: https://docs.x.ai/docs/guides/reasoning
  drop: ['stop', 'presence_penalty', 'frequency_penalty'],
  // Errors are two texts: `{"code": "…", "error": "…"}`.
  errorsVary: true,
  unconfirmed: ['lacks', 'developers'],
});
