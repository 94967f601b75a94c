import type { ClientRoute, RequestQuery } from '../../sdk/dialect/client-route.ts';
import type { DialectDeclaration } from '../../sdk/dialect/dialect.ts';
import { encodeError } from './errors/encode-error.ts';
import { modelList } from './model-list.ts';

/** Without `alt=sse` a stream is one JSON array, which the vendor's libraries never request. */
const framing = (query: RequestQuery): 'sse' | 'json-array' => (query.get('alt') === 'sse' ? 'sse' : 'json-array');

/** The version is part of the path: `v1beta` in the vendor's libraries, or the `v1` that the gateway's own base ends in. */
const versions = ['/v1beta', ''] as const;

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

/** The other methods of a model: https://ai.google.dev/api/all-methods */
const siblings: readonly ClientRoute['path'][] = versions.flatMap((version): readonly ClientRoute['path'][] => [
  `${version}/models/{model}:embedContent`,
  `${version}/models/{model}:batchEmbedContents`,
]);

/** Files, caches, batches and all else; uploads have a segment before the version: https://ai.google.dev/api/files */
const roots: readonly ClientRoute['path'][] = ['/v1beta', '/upload/v1beta', '/upload/v1'];

/** The declaration of Google's generateContent, which the gateway reads when it starts. */
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
