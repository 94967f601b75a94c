import type { DialectDeclaration } from '../../sdk/dialect/dialect.ts';
import { encodeError } from './errors/encode-error.ts';
import { modelList } from './model-list.ts';
import { roots, routes, siblings } from './routes.ts';

/** What the gateway must know of Google's generateContent from its start. */
export const declaration: DialectDeclaration = {
  id: 'gemini',
  operation: 'converse',
  routes,
  siblings,
  roots,
  clientCredentials: { headers: ['x-goog-api-key'], query: ['key'] },
  encodeError,
  models: modelList,
};
