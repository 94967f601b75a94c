import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/** https://developer.monsterapi.ai. The address is in its own library: https://github.com/qblocks/monsterapiclient */
export const monsterapi: Provider = openaiCompatible({
  id: 'monsterapi',
  documentation: 'https://developer.monsterapi.ai',
  baseUrl: 'https://llm.monsterapi.ai/v1',
  operations: ['chat'],
  unconfirmed: ['drop', 'lacks', 'developers', 'stream_options', 'errors'],
});
