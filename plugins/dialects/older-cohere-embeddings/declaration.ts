import type { DialectDeclaration } from '../../sdk/dialect/dialect.ts';
import { encodeError } from '../cohere/errors/encode-error.ts';

/** The declaration of Cohere's embed, version 1, which the gateway reads when it starts. */
export const declaration: DialectDeclaration = {
  id: 'older-cohere-embeddings',
  operation: 'embed',
  routes: [
    {
      path: '/embed',
      operationId: 'cohere_embed_v1',
      summary: "Makes vectors of texts, in the form of version 1 of Cohere's embed.",
    },
  ],
  encodeError,
};
