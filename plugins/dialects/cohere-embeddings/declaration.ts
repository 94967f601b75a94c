import type { DialectDeclaration } from '../../sdk/dialect/dialect.ts';
import { encodeError } from '../cohere/errors/encode-error.ts';

/** The declaration of Cohere's embed, version 2, which the gateway reads when it starts. */
export const declaration: DialectDeclaration = {
  id: 'cohere-embeddings',
  operation: 'embed',
  routes: [
    {
      path: '/v2/embed',
      operationId: 'cohere_embed',
      summary: "Makes vectors of texts, in the form of Cohere's embed.",
    },
  ],
  encodeError,
};
