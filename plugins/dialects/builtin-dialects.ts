import type { Dialect } from '../sdk/dialect/dialect.ts';
import { speech } from './audio/speech.ts';
import { transcriptions, translations } from './audio/transcriptions.ts';
import { bedrockImages } from './bedrock-images/bedrock-images.ts';
import { bedrockRerank } from './bedrock-rerank/bedrock-rerank.ts';
import { chat } from './chat/chat.ts';
import { cohere } from './cohere/cohere.ts';
import { cohereEmbeddings } from './cohere-embeddings/cohere-embeddings.ts';
import { completions } from './completions/completions.ts';
import { converse } from './converse/converse.ts';
import { converseCount } from './converse-count/converse-count.ts';
import { embeddings } from './embeddings/embeddings.ts';
import { fireworksImages } from './fireworks-images/fireworks-images.ts';
import { gemini } from './gemini/gemini.ts';
import { geminiCount } from './gemini-count/gemini-count.ts';
import { geminiEmbedContent } from './gemini-embed-content/gemini-embed-content.ts';
import { geminiEmbeddings } from './gemini-embeddings/gemini-embeddings.ts';
import { googleImages } from './google-images/google-images.ts';
import { imageEdits, imageVariations } from './image-forms/image-forms.ts';
import { images } from './images/images.ts';
import { messages } from './messages/messages.ts';
import { messagesCount } from './messages-count/messages-count.ts';
import { moderations } from './moderations/moderations.ts';
import { nomicEmbeddings } from './nomic-embeddings/nomic-embeddings.ts';
import { novaEmbeddings } from './nova-embeddings/nova-embeddings.ts';
import { ocr } from './ocr/ocr.ts';
import { olderCohereEmbeddings } from './older-cohere-embeddings/older-cohere-embeddings.ts';
import { rerank } from './rerank/rerank.ts';
import { responses } from './responses/responses.ts';
import { responsesCount } from './responses-count/responses-count.ts';
import { siliconflowImages } from './siliconflow-images/siliconflow-images.ts';
import { stabilityImages } from './stability-images/stability-images.ts';
import { titanEmbeddings } from './titan-embeddings/titan-embeddings.ts';
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
  olderCohereEmbeddings,
  geminiEmbeddings,
  geminiEmbedContent,
  vertexEmbeddings,
  titanEmbeddings,
  novaEmbeddings,
  nomicEmbeddings,
  rerank,
  speech,
  transcriptions,
  translations,
  imageEdits,
  imageVariations,
  converseCount,
  geminiCount,
  messagesCount,
  responsesCount,
  bedrockRerank,
  vertexRerank,
  moderations,
  ocr,
  images,
  googleImages,
  bedrockImages,
  fireworksImages,
  siliconflowImages,
  stabilityImages,
];
