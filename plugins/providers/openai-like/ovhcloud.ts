import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/** https://help.ovhcloud.com/csm/en-public-cloud-ai-endpoints-getting-started */
export const ovhcloud: Provider = openaiCompatible({
  id: 'ovhcloud',
  documentation: 'https://help.ovhcloud.com/csm/en-public-cloud-ai-endpoints-getting-started',
  baseUrl: 'https://oai.endpoints.kepler.ai.cloud.ovh.net/v1',
  operations: ['chat', 'embeddings'],
  unconfirmed: ['drop', 'lacks', 'developers', 'stream_options', 'errors'],
});
