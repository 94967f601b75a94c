import type { ClientCredentials, ClientRoute, RequestQuery } from '../../sdk/dialect/client-route.ts';
import type { DialectDeclaration } from '../../sdk/dialect/dialect.ts';
import { modelList } from './model-list.ts';
import { encodeError } from './parts/encode-error.ts';

/** Returns the framing of a stream. Without `alt=sse` it is one JSON array, which the vendor's libraries never request. */
const framing = (query: RequestQuery): 'sse' | 'json-array' => (query.get('alt') === 'sse' ? 'sse' : 'json-array');

/** The version is part of the path: `v1beta` in the vendor's libraries, or the `v1` at the end of the gateway's base URL. */
export const versions = ['/v1beta', ''] as const;

/** Where Google's clients send their key. */
export const clientCredentials: ClientCredentials = { headers: ['x-goog-api-key'], query: ['key'] };

const routes: readonly ClientRoute[] = versions.flatMap((version): readonly ClientRoute[] => [
  {
    path: `${version}/models/{model}:generateContent`,
    stream: false,
    operationId: 'generate_content',
    summary: "Answers a conversation, in the form of Google's generateContent.",
  },
  {
    path: `${version}/models/{model}:streamGenerateContent`,
    stream: true,
    framing,
    operationId: 'stream_generate_content',
    summary: "Streams the answer to a conversation, in the form of Google's streamGenerateContent.",
  },
]);

/**
 * Paths of files, caches, batches and everything else. Uploads have a segment before the version: https://ai.google.dev/api/files
 */
const roots: readonly ClientRoute['path'][] = ['/v1beta', '/upload/v1beta', '/upload/v1'];

/** The declaration of Google's generateContent, which the gateway reads when it starts. */
export const declaration: DialectDeclaration = {
  id: 'gemini',
  operation: 'converse',
  routes,
  roots,
  clientCredentials,
  encodeError,
  models: modelList,
};
