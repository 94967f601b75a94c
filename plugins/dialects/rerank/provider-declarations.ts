import type { DialectDeclaration } from '../../sdk/dialect/dialect.ts';
import { encodeError as bedrockError } from '../converse/errors/encode-error.ts';
import { encodeError as googleError } from '../gemini/errors/encode-error.ts';

// None has a route: requests of a provider's own clients are passed through.

/** The declaration of the requests for which Bedrock invokes a model that ranks. */
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
