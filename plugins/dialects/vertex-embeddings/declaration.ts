import type { DialectDeclaration } from '../../sdk/dialect/dialect.ts';
import { encodeError } from '../gemini/errors/encode-error.ts';

/** Vertex AI's predict for embeddings, which has no route here: its own clients' requests are passed through. */
export const declaration: DialectDeclaration = { id: 'vertex-embeddings', operation: 'embed', encodeError };
