import type { DialectDeclaration } from '../../sdk/dialect/dialect.ts';
import { encodeError as openaiError } from '../chat/parts/encode-error.ts';
import { encodeError as cohereError } from '../cohere/parts/encode-error.ts';
import { encodeError as bedrockError } from '../converse/parts/encode-error.ts';
import { clientCredentials, versions } from '../gemini/declaration.ts';
import { encodeError as googleError } from '../gemini/parts/encode-error.ts';

// The declarations of all formats for embeddings, which the gateway reads when it starts. They are in one file, because finding
// each file takes time.

/** The declaration of OpenAI's embeddings. */
export const embeddings: DialectDeclaration = {
  id: 'embeddings',
  operation: 'embed',
  // The second path is that of Azure's dated versions: https://learn.microsoft.com/azure/ai-foundry/openai/reference
  routes: [
    {
      path: '/embeddings',
      operationId: 'create_embedding',
      summary: "Computes embeddings of texts, in the form of OpenAI's embeddings.",
    },
    {
      path: '/openai/deployments/{model}/embeddings',
      modelInBody: true,
      operationId: 'azure_create_embedding',
      summary: 'The same, for a deployment of Azure OpenAI.',
    },
  ],
  encodeError: openaiError,
};

/** The declaration of Cohere's embed, version 2. */
export const cohereEmbeddings: DialectDeclaration = {
  id: 'cohere-embeddings',
  operation: 'embed',
  routes: [
    {
      path: '/v2/embed',
      operationId: 'cohere_embed',
      summary: "Computes embeddings of texts, in the form of Cohere's embed.",
    },
  ],
  encodeError: cohereError,
};

/** The declaration of Cohere's embed, version 1. */
export const olderCohereEmbeddings: DialectDeclaration = {
  id: 'older-cohere-embeddings',
  operation: 'embed',
  routes: [
    {
      path: '/embed',
      operationId: 'cohere_embed_v1',
      summary: "Computes embeddings of texts, in the form of version 1 of Cohere's embed.",
    },
  ],
  encodeError: cohereError,
};

/** The declaration of Google's batchEmbedContents. */
export const geminiEmbeddings: DialectDeclaration = {
  id: 'gemini-embeddings',
  operation: 'embed',
  routes: versions.map((version) => ({
    path: `${version}/models/{model}:batchEmbedContents` as const,
    stream: false,
    operationId: version === '' ? 'batch_embed_contents_v1' : 'batch_embed_contents',
    summary: "Computes embeddings of texts, in the form of Google's batchEmbedContents.",
  })),
  clientCredentials,
  encodeError: googleError,
};

/** The declaration of Google's embedContent. */
export const geminiEmbedContent: DialectDeclaration = {
  id: 'gemini-embed-content',
  operation: 'embed',
  routes: versions.map((version) => ({
    path: `${version}/models/{model}:embedContent` as const,
    stream: false,
    operationId: version === '' ? 'embed_content_v1' : 'embed_content',
    summary: "Computes the embedding of a text, in the form of Google's embedContent.",
  })),
  clientCredentials,
  encodeError: googleError,
};

/** The declaration of Vertex AI's predict for embeddings. It has no route: requests of its own clients are passed through. */
export const vertexEmbeddings: DialectDeclaration = {
  id: 'vertex-embeddings',
  operation: 'embed',
  encodeError: googleError,
};

/** The declaration of Amazon's Titan embeddings. It has no route: requests of its own clients are passed through. */
export const titanEmbeddings: DialectDeclaration = {
  id: 'titan-embeddings',
  operation: 'embed',
  encodeError: bedrockError,
};

/** The declaration of Amazon's Nova embeddings. It has no route: requests of its own clients are passed through. */
export const novaEmbeddings: DialectDeclaration = {
  id: 'nova-embeddings',
  operation: 'embed',
  encodeError: bedrockError,
};

/** The declaration of Nomic's embeddings. It has no route: requests of its own clients are passed through. */
export const nomicEmbeddings: DialectDeclaration = {
  id: 'nomic-embeddings',
  operation: 'embed',
  encodeError: openaiError,
};
