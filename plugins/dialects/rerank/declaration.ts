import type { DialectDeclaration } from '../../sdk/dialect/dialect.ts';
import { encodeError } from '../cohere/errors/encode-error.ts';

/** The declaration of Cohere's rerank, which the gateway reads when it starts. */
export const declaration: DialectDeclaration = {
  id: 'rerank',
  operation: 'rerank',
  routes: [
    {
      path: '/rerank',
      operationId: 'rerank',
      summary: "Orders documents by how well they answer a query, in the form of Cohere's rerank.",
    },
    { path: '/v2/rerank', operationId: 'cohere_rerank', summary: "The same, at the path of Cohere's clients." },
  ],
  passesThrough: true,
  encodeError,
};
