import type { Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/** https://modal.com/docs */
export const modal: Provider = openaiCompatible({
  id: 'modal',
  documentation: 'https://modal.com/docs',
  baseUrl: 'https://api.modal.com/v1',
  operations: ['chat', 'completions'],
  unconfirmed: ['address', 'drop', 'lacks', 'developers', 'stream_options', 'errors'],
});
