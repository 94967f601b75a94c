import type { DialectDeclaration } from '../../sdk/dialect/dialect.ts';
import { encodeError } from '../cohere/errors/encode-error.ts';

/** Cohere's embed, which has no route here: its own clients' requests are passed through. */
export const declaration: DialectDeclaration = { id: 'cohere-embeddings', operation: 'embed', encodeError };
