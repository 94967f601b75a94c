import type { DialectDeclaration } from '../../sdk/dialect.ts';
import { encodeError } from '../chat/encode-error.ts';

/** What the gateway must know of OpenAI's text completions from its start. */
export const declaration: DialectDeclaration = {
  id: 'completions',
  operation: 'complete',
  routes: [{ path: '/completions' }],
  encodeError,
};
