import { lookUp } from '../../../schema/json/look-up.ts';
import type { CheckedRequest } from '../../sdk/guardrail/guardrail.ts';

/** The names that configs may use for the requests of each dialect, the documented name first. */
const byDialect: Readonly<Record<string, readonly [string, ...string[]]>> = {
  chat: ['chatComplete', 'chat'],
  messages: ['messages'],
  responses: ['createModelResponse', 'responses'],
  gemini: ['generateContent', 'gemini'],
  converse: ['converse'],
  cohere: ['cohereChat', 'cohere'],
  completions: ['complete', 'completions'],
  embeddings: ['embed', 'embeddings'],
  rerank: ['rerank'],
  speech: ['createSpeech', 'speech'],
  transcriptions: ['createTranscription', 'transcriptions'],
  translations: ['createTranslation', 'translations'],
  'image-edits': ['imageEdit', 'image-edits'],
  'image-variations': ['imageVariation', 'image-variations'],
  'messages-count': ['messagesCountTokens'],
  moderations: ['moderate', 'moderations'],
  ocr: ['ocr'],
  images: ['imageGenerate', 'images'],
};

/** Returns the names of a request's type. For a dialect of a plugin, its id. */
export const requestTypes = ({ dialect }: Pick<CheckedRequest, 'dialect'>): readonly [string, ...string[]] =>
  lookUp(byDialect, dialect) ?? [dialect];
