import type { DialectDeclaration } from '../../sdk/dialect/dialect.ts';
import { encodeError } from '../chat/errors/encode-error.ts';

/** The declaration of Nomic's embeddings. It has no route: requests of its own clients are passed through. */
export const declaration: DialectDeclaration = { id: 'nomic-embeddings', operation: 'embed', encodeError };
