import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/** https://nextbit256.com */
export const nextbit: Provider = openaiCompatible({
  id: 'nextbit',
  documentation: 'https://nextbit256.com',
  baseUrl: 'https://api.nextbit256.com/v1',
  operations: ['chat', 'completions'],
  unconfirmed: ['address', 'drop', 'lacks', 'developers', 'stream_options', 'errors'],
});
