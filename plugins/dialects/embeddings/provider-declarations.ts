import type { DialectDeclaration } from '../../sdk/dialect/dialect.ts';
import { encodeError as cohereError } from '../cohere/errors/encode-error.ts';
import { encodeError as googleError } from '../gemini/errors/encode-error.ts';

// None has a route: requests of a provider's own clients are passed through.

/** The declaration of Cohere's embed. */
export const cohereDeclaration: DialectDeclaration = {
  id: 'cohere-embeddings',
  operation: 'embed',
  encodeError: cohereError,
};

/** The declaration of Google's batchEmbedContents. */
export const geminiDeclaration: DialectDeclaration = {
  id: 'gemini-embeddings',
  operation: 'embed',
  encodeError: googleError,
};

/** The declaration of Vertex AI's predict for embeddings. */
export const vertexDeclaration: DialectDeclaration = {
  id: 'vertex-embeddings',
  operation: 'embed',
  encodeError: googleError,
};
