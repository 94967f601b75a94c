import type { DialectDeclaration } from '../../sdk/dialect/dialect.ts';
import { encodeError } from '../cohere/parts/encode-error.ts';
import { encodeError as bedrockError } from '../converse/parts/encode-error.ts';
import { encodeError as googleError } from '../gemini/parts/encode-error.ts';

/** The declaration of Cohere's rerank, which the gateway reads when it starts. */
export const declaration: DialectDeclaration = {
  id: 'rerank',
  operation: 'rerank',
  routes: [
    {
      path: '/rerank',
      operationId: 'rerank',
      summary: "Ranks documents by their relevance to a query, in the form of Cohere's rerank.",
    },
    { path: '/v2/rerank', operationId: 'cohere_rerank', summary: "The same, at the path of Cohere's clients." },
  ],
  passesThrough: true,
  encodeError,
};

// The formats of providers have no routes: requests of a provider's own clients are passed through.

/** The declaration of Bedrock's InvokeModel for models that rank. */
export const bedrockDeclaration: DialectDeclaration = {
  id: 'bedrock-rerank',
  operation: 'rerank',
  encodeError: bedrockError,
};

/** The declaration of Google's ranking API. */
export const vertexDeclaration: DialectDeclaration = {
  id: 'vertex-rerank',
  operation: 'rerank',
  encodeError: googleError,
};
