import type { DialectDeclaration } from '../../sdk/dialect/dialect.ts';
import { modelList } from './model-list.ts';
import { encodeError } from './parts/encode-error.ts';

/** The declaration of Anthropic's messages, which the gateway reads when it starts. */
export const declaration: DialectDeclaration = {
  id: 'messages',
  operation: 'converse',
  routes: [
    {
      path: '/messages',
      operationId: 'create_message',
      summary: "Answers a conversation, in the form of Anthropic's messages.",
    },
  ],
  clientCredentials: { headers: ['x-api-key'] },
  encodeError,
  models: modelList,
};
