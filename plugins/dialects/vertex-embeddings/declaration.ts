import type { DialectDeclaration } from '../../sdk/dialect/dialect.ts';
import { encodeError } from '../gemini/errors/encode-error.ts';

/** The declaration of Vertex AI's predict for embeddings. It has no route: requests of its own clients are passed through. */
export const declaration: DialectDeclaration = { id: 'vertex-embeddings', operation: 'embed', encodeError };
