import type { DialectDeclaration } from '../../sdk/dialect.ts';
import { encodeError } from './encode-error.ts';
import { modelList } from './model-list.ts';

/** What the gateway must know of OpenAI's chat completions from its start. */
export const declaration: DialectDeclaration = {
  id: 'chat',
  operation: 'converse',
  routes: [{ path: '/chat/completions' }],
  // Of Azure's clients: https://learn.microsoft.com/en-us/azure/ai-foundry/openai/reference
  clientCredentials: { headers: ['api-key'] },
  encodeError,
  models: modelList,
};
