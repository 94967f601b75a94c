import type { Dialect } from '../sdk/dialect/dialect.ts';
import { bedrockImages } from './bedrock-images/bedrock-images.ts';
import { chat } from './chat/chat.ts';
import { cohere } from './cohere/cohere.ts';
import { cohereEmbeddings } from './cohere-embeddings/cohere-embeddings.ts';
import { completions } from './completions/completions.ts';
import { converse } from './converse/converse.ts';
import { embeddings } from './embeddings/embeddings.ts';
import { fireworksImages } from './fireworks-images/fireworks-images.ts';
import { gemini } from './gemini/gemini.ts';
import { geminiEmbeddings } from './gemini-embeddings/gemini-embeddings.ts';
import { googleImages } from './google-images/google-images.ts';
import { images } from './images/images.ts';
import { messages } from './messages/messages.ts';
import { rerank } from './rerank/rerank.ts';
import { responses } from './responses/responses.ts';
import { siliconflowImages } from './siliconflow-images/siliconflow-images.ts';
import { stabilityImages } from './stability-images/stability-images.ts';
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
  rerank,
  images,
  googleImages,
  bedrockImages,
  fireworksImages,
  siliconflowImages,
  stabilityImages,
];
