import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../row-parts/openai-compatible.ts';

/** https://developer.monsterapi.ai */
export const monsterapi: Provider = openaiCompatible({
  id: 'monsterapi',
  documentation: 'https://developer.monsterapi.ai',
  baseUrl: 'https://llm.monsterapi.ai/v1',
  operations: ['chat'],
  unconfirmed: ['address', 'drop', 'lacks', 'developers', 'stream_options', 'errors'],
});
