import type { DialectDeclaration } from '../../sdk/dialect.ts';
import { encodeError } from '../chat/encode-error.ts';

/** What the gateway must know of OpenAI's embeddings from its start. */
export const declaration: DialectDeclaration = {
  id: 'embeddings',
  operation: 'embed',
  routes: [{ path: '/embeddings' }],
  encodeError,
};
