import type { DialectDeclaration } from '../../sdk/dialect/dialect.ts';
import { clientCredentials, versions } from '../gemini/declaration.ts';
import { encodeError } from '../gemini/errors/encode-error.ts';

/** The declaration of Google's embedContent, which the gateway reads when it starts. */
export const declaration: DialectDeclaration = {
  id: 'gemini-embed-content',
  operation: 'embed',
  routes: versions.map((version) => ({
    path: `${version}/models/{model}:embedContent` as const,
    stream: false,
    operationId: version === '' ? 'embed_content_v1' : 'embed_content',
    summary: "Makes the vector of a text, in the form of Google's embedContent.",
  })),
  clientCredentials,
  encodeError,
};
