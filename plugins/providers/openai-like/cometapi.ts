import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/** https://api.cometapi.com/doc */
export const cometapi: Provider = openaiCompatible({
  id: 'cometapi',
  documentation: 'https://api.cometapi.com/doc',
  baseUrl: 'https://api.cometapi.com/v1',
  // Its own library calls responses: https://github.com/cometapi-dev/cometapi-node
  operations: ['chat', 'responses', 'embeddings', 'images'],
  unconfirmed: ['drop', 'lacks', 'developers', 'stream_options', 'errors'],
});
