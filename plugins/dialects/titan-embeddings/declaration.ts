import type { DialectDeclaration } from '../../sdk/dialect/dialect.ts';
import { encodeError } from '../converse/errors/encode-error.ts';

/** The declaration of Amazon's Titan embeddings. It has no route: requests of its own clients are passed through. */
export const declaration: DialectDeclaration = { id: 'titan-embeddings', operation: 'embed', encodeError };
