import type { DialectDeclaration } from '../../sdk/dialect/dialect.ts';
import { encodeError } from '../gemini/errors/encode-error.ts';

/** Google's batchEmbedContents, which has no route here: its own clients' requests are passed through. */
export const declaration: DialectDeclaration = { id: 'gemini-embeddings', operation: 'embed', encodeError };
