import type { Dialect } from '../sdk/dialect/dialect.ts';
import { chat } from './chat/chat.ts';
import { cohere } from './cohere/cohere.ts';
import { cohereEmbeddings } from './cohere-embeddings/cohere-embeddings.ts';
import { completions } from './completions/completions.ts';
import { converse } from './converse/converse.ts';
import { converseCount } from './counts/converse-count.ts';
import { geminiCount } from './counts/gemini-count.ts';
import { messagesCount } from './counts/messages-count.ts';
import { responsesCount } from './counts/responses-count.ts';
import { embeddings } from './embeddings/embeddings.ts';
import { gemini } from './gemini/gemini.ts';
import { geminiEmbeddings } from './gemini-embeddings/gemini-embeddings.ts';
import { messages } from './messages/messages.ts';
import { responses } from './responses/responses.ts';
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
  geminiEmbeddings,
  vertexEmbeddings,
  converseCount,
  geminiCount,
  messagesCount,
  responsesCount,
];
