import type { LazyDialect } from '../sdk/dialect/dialect.ts';
import { declaration as chat } from './chat/declaration.ts';
import { declaration as cohere } from './cohere/declaration.ts';
import { declaration as completions } from './completions/declaration.ts';
import { declaration as converse } from './converse/declaration.ts';
import {
  cohereEmbeddings,
  embeddings,
  geminiEmbedContent,
  geminiEmbeddings,
  nomicEmbeddings,
  novaEmbeddings,
  olderCohereEmbeddings,
  titanEmbeddings,
  vertexEmbeddings,
} from './embeddings/declaration.ts';
import { declaration as gemini } from './gemini/declaration.ts';
import { declaration as messages } from './messages/declaration.ts';
import { declaration as rerank } from './rerank/declaration.ts';
import { declaration as responses } from './responses/declaration.ts';

/** Every first-party dialect, for a gateway that runs: most need few of them, so each is loaded when a request needs it. */
export const lazyDialects: readonly LazyDialect[] = [
  { ...chat, load: async () => (await import('./chat/chat.ts')).chat },
  { ...messages, load: async () => (await import('./messages/messages.ts')).messages },
  { ...responses, load: async () => (await import('./responses/responses.ts')).responses },
  { ...cohere, load: async () => (await import('./cohere/cohere.ts')).cohere },
  { ...converse, load: async () => (await import('./converse/converse.ts')).converse },
  { ...gemini, load: async () => (await import('./gemini/gemini.ts')).gemini },
  { ...completions, load: async () => (await import('./completions/completions.ts')).completions },
  { ...embeddings, load: async () => (await import('./embeddings/embeddings.ts')).embeddings },
  {
    ...cohereEmbeddings,
    load: async () => (await import('./cohere-embeddings/cohere-embeddings.ts')).cohereEmbeddings,
  },
  {
    ...olderCohereEmbeddings,
    load: async () => (await import('./older-cohere-embeddings/older-cohere-embeddings.ts')).olderCohereEmbeddings,
  },
  {
    ...geminiEmbeddings,
    load: async () => (await import('./gemini-embeddings/gemini-embeddings.ts')).geminiEmbeddings,
  },
  {
    ...geminiEmbedContent,
    load: async () => (await import('./gemini-embed-content/gemini-embed-content.ts')).geminiEmbedContent,
  },
  {
    ...vertexEmbeddings,
    load: async () => (await import('./vertex-embeddings/vertex-embeddings.ts')).vertexEmbeddings,
  },
  { ...titanEmbeddings, load: async () => (await import('./titan-embeddings/titan-embeddings.ts')).titanEmbeddings },
  { ...novaEmbeddings, load: async () => (await import('./nova-embeddings/nova-embeddings.ts')).novaEmbeddings },
  { ...nomicEmbeddings, load: async () => (await import('./nomic-embeddings/nomic-embeddings.ts')).nomicEmbeddings },
  { ...rerank, load: async () => (await import('./rerank/rerank.ts')).rerank },
];
