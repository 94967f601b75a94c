import type { Dialect } from '../sdk/dialect/dialect.ts';
import { bedrockRerank } from './bedrock-rerank/bedrock-rerank.ts';
import { chat } from './chat/chat.ts';
import { cohere } from './cohere/cohere.ts';
import { cohereEmbeddings } from './cohere-embeddings/cohere-embeddings.ts';
import { completions } from './completions/completions.ts';
import { converse } from './converse/converse.ts';
import { embeddings } from './embeddings/embeddings.ts';
import { gemini } from './gemini/gemini.ts';
import { geminiEmbeddings } from './gemini-embeddings/gemini-embeddings.ts';
import { messages } from './messages/messages.ts';
import { moderations } from './moderations/moderations.ts';
import { ocr } from './ocr/ocr.ts';
import { rerank } from './rerank/rerank.ts';
import { responses } from './responses/responses.ts';
import { vertexEmbeddings } from './vertex-embeddings/vertex-embeddings.ts';
import { vertexRerank } from './vertex-rerank/vertex-rerank.ts';

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
  geminiEmbeddings,
  vertexEmbeddings,
  rerank,
  bedrockRerank,
  vertexRerank,
  moderations,
  ocr,
];
