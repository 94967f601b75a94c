import type { LazyDialect } from '../sdk/dialect/dialect.ts';
import { declaration as chat } from './chat/declaration.ts';
import { declaration as cohere } from './cohere/declaration.ts';
import { declaration as completions } from './completions/declaration.ts';
import { declaration as converse } from './converse/declaration.ts';
import { declaration as embeddings } from './embeddings/declaration.ts';
import { cohereDeclaration, geminiDeclaration, vertexDeclaration } from './embeddings/provider-declarations.ts';
import { declaration as gemini } from './gemini/declaration.ts';
import { declaration as images } from './images/declaration.ts';
import {
  bedrockDeclaration as bedrockImages,
  fireworksDeclaration as fireworksImages,
  googleDeclaration as googleImages,
  siliconflowDeclaration as siliconflowImages,
  stabilityDeclaration as stabilityImages,
} from './images/provider-declarations.ts';
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
    ...cohereDeclaration,
    load: async () => (await import('./cohere-embeddings/cohere-embeddings.ts')).cohereEmbeddings,
  },
  {
    ...geminiDeclaration,
    load: async () => (await import('./gemini-embeddings/gemini-embeddings.ts')).geminiEmbeddings,
  },
  {
    ...vertexDeclaration,
    load: async () => (await import('./vertex-embeddings/vertex-embeddings.ts')).vertexEmbeddings,
  },
  { ...rerank, load: async () => (await import('./rerank/rerank.ts')).rerank },
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
