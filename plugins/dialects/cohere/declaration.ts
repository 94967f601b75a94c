import type { DialectDeclaration } from '../../sdk/dialect/dialect.ts';
import { modelList } from './model-list.ts';
import { encodeError } from './parts/encode-error.ts';

/** The declaration of Cohere's chat, which the gateway reads when it starts. */
export const declaration: DialectDeclaration = {
  id: 'cohere',
  operation: 'converse',
  routes: [
    { path: '/v2/chat', operationId: 'cohere_chat', summary: "Answers a conversation, in the form of Cohere's chat." },
  ],
  // https://docs.cohere.com/reference/embed, https://docs.cohere.com/reference/rerank
  roots: ['/v2'],
  encodeError,
  models: modelList,
};
