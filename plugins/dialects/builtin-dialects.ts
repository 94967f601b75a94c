import type { Dialect } from '../sdk/dialect/dialect.ts';
import { chat } from './chat/chat.ts';
import { cohere } from './cohere/cohere.ts';
import { cohereEmbeddings } from './cohere-embeddings/cohere-embeddings.ts';
import { completions } from './completions/completions.ts';
import { converse } from './converse/converse.ts';
import { embeddings } from './embeddings/embeddings.ts';
import { gemini } from './gemini/gemini.ts';
import { geminiEmbedContent } from './gemini-embed-content/gemini-embed-content.ts';
import { geminiEmbeddings } from './gemini-embeddings/gemini-embeddings.ts';
import { messages } from './messages/messages.ts';
import { nomicEmbeddings } from './nomic-embeddings/nomic-embeddings.ts';
import { novaEmbeddings } from './nova-embeddings/nova-embeddings.ts';
import { olderCohereEmbeddings } from './older-cohere-embeddings/older-cohere-embeddings.ts';
import { rerank } from './rerank/rerank.ts';
import { responses } from './responses/responses.ts';
import { titanEmbeddings } from './titan-embeddings/titan-embeddings.ts';
import { vertexEmbeddings } from './vertex-embeddings/vertex-embeddings.ts';

/** Every first-party dialect. */
export const builtinDialects: readonly Dialect[] = [
  chat,
  messages,
  responses,
  cohere,
  converse,
  gemini,
  completions,
  embeddings,
  cohereEmbeddings,
  olderCohereEmbeddings,
  geminiEmbeddings,
  geminiEmbedContent,
  vertexEmbeddings,
  titanEmbeddings,
  novaEmbeddings,
  nomicEmbeddings,
  rerank,
];
