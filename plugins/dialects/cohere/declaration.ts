import type { DialectDeclaration } from '../../sdk/dialect.ts';
import { encodeError } from './encode-error.ts';

/** What the gateway must know of Cohere's chat from its start. */
export const declaration: DialectDeclaration = {
  id: 'cohere',
  operation: 'converse',
  routes: [{ path: '/v2/chat' }],
  encodeError,
};
