import type { LazyDialect } from '../sdk/dialect/dialect.ts';
import { speechDeclaration, transcriptionsDeclaration, translationsDeclaration } from './audio/declaration.ts';
import { declaration as chat } from './chat/declaration.ts';
import { declaration as cohere } from './cohere/declaration.ts';
import { declaration as completions } from './completions/declaration.ts';
import { declaration as converse } from './converse/declaration.ts';
import {
  converseDeclaration as converseCount,
  geminiDeclaration as geminiCount,
  messagesDeclaration as messagesCount,
  responsesDeclaration as responsesCount,
} from './counts/declarations.ts';
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
import { editsDeclaration, variationsDeclaration } from './image-forms/declaration.ts';
import { declaration as images } from './images/declaration.ts';
import {
  bedrockDeclaration as bedrockImages,
  fireworksDeclaration as fireworksImages,
  googleDeclaration as googleImages,
  siliconflowDeclaration as siliconflowImages,
  stabilityDeclaration as stabilityImages,
} from './images/provider-declarations.ts';
import { declaration as messages } from './messages/declaration.ts';
import { declaration as moderations } from './moderations/declaration.ts';
import { declaration as ocr } from './ocr/declaration.ts';
import {
  bedrockDeclaration as bedrockRerank,
  declaration as rerank,
  vertexDeclaration as vertexRerank,
} from './rerank/declaration.ts';
import { declaration as responses } from './responses/declaration.ts';

/**
 * Every first-party dialect, for a running gateway. It usually needs few of them, so each is loaded when a request first needs
 * it.
 */
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
  { ...speechDeclaration, load: async () => (await import('./audio/speech.ts')).speech },
  { ...transcriptionsDeclaration, load: async () => (await import('./audio/transcriptions.ts')).transcriptions },
  { ...translationsDeclaration, load: async () => (await import('./audio/transcriptions.ts')).translations },
  { ...editsDeclaration, load: async () => (await import('./image-forms/image-forms.ts')).imageEdits },
  { ...variationsDeclaration, load: async () => (await import('./image-forms/image-forms.ts')).imageVariations },
  { ...converseCount, load: async () => (await import('./converse-count/converse-count.ts')).converseCount },
  { ...geminiCount, load: async () => (await import('./gemini-count/gemini-count.ts')).geminiCount },
  { ...messagesCount, load: async () => (await import('./messages-count/messages-count.ts')).messagesCount },
  { ...responsesCount, load: async () => (await import('./responses-count/responses-count.ts')).responsesCount },
  { ...bedrockRerank, load: async () => (await import('./bedrock-rerank/bedrock-rerank.ts')).bedrockRerank },
  { ...vertexRerank, load: async () => (await import('./vertex-rerank/vertex-rerank.ts')).vertexRerank },
  { ...moderations, load: async () => (await import('./moderations/moderations.ts')).moderations },
  { ...ocr, load: async () => (await import('./ocr/ocr.ts')).ocr },
  { ...images, load: async () => (await import('./images/images.ts')).images },
  { ...googleImages, load: async () => (await import('./google-images/google-images.ts')).googleImages },
  { ...bedrockImages, load: async () => (await import('./bedrock-images/bedrock-images.ts')).bedrockImages },
  { ...fireworksImages, load: async () => (await import('./fireworks-images/fireworks-images.ts')).fireworksImages },
  {
    ...siliconflowImages,
    load: async () => (await import('./siliconflow-images/siliconflow-images.ts')).siliconflowImages,
  },
  { ...stabilityImages, load: async () => (await import('./stability-images/stability-images.ts')).stabilityImages },
];
