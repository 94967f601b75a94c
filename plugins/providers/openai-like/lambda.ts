import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/** https://docs.lambda.ai/public-cloud/lambda-inference-api/ */
export const lambda: Provider = openaiCompatible({
  id: 'lambda',
  documentation: 'https://docs.lambda.ai/public-cloud/lambda-inference-api/',
  baseUrl: 'https://api.lambdalabs.com/v1',
  operations: ['chat', 'completions'],
  closed: '2025-09-25',
  unconfirmed: ['address', 'drop', 'lacks', 'developers', 'stream_options', 'errors'],
});
