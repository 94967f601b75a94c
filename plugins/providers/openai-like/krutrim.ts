import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/** https://github.com/ola-krutrim/krutrim-cloud-python: its own library sends only user, system and assistant messages. */
export const krutrim: Provider = openaiCompatible({
  id: 'krutrim',
  documentation: 'https://github.com/ola-krutrim/krutrim-cloud-python',
  baseUrl: 'https://cloud.olakrutrim.com/v1',
  operations: ['chat'],
  unconfirmed: ['drop', 'lacks', 'stream_options', 'errors'],
});
