import type { DialectDeclaration } from '../../sdk/dialect/dialect.ts';
import { clientCredentials, versions } from '../gemini/declaration.ts';
import { encodeError } from '../gemini/errors/encode-error.ts';

/** The declaration of Google's batchEmbedContents, which the gateway reads when it starts. */
export const declaration: DialectDeclaration = {
  id: 'gemini-embeddings',
  operation: 'embed',
  routes: versions.map((version) => ({
    path: `${version}/models/{model}:batchEmbedContents` as const,
    stream: false,
    operationId: version === '' ? 'batch_embed_contents_v1' : 'batch_embed_contents',
    summary: "Makes vectors of texts, in the form of Google's batchEmbedContents.",
  })),
  clientCredentials,
  encodeError,
};
