import { lookUp } from '../../../../schema/json/look-up.ts';

/** The kinds of models, by the answers that clients want from them. A model cannot replace a model of another kind. */
export type ModelKind =
  | 'conversations'
  | 'embeddings'
  | 'images'
  | 'transcriptions'
  | 'speech'
  | 'ranks'
  | 'moderations';

/** The kinds by the `mode` in LiteLLM's `model_info`. */
const byMode: Readonly<Record<string, ModelKind>> = {
  audio_speech: 'speech',
  audio_transcription: 'transcriptions',
  chat: 'conversations',
  completion: 'conversations',
  embedding: 'embeddings',
  image_edit: 'images',
  image_generation: 'images',
  moderation: 'moderations',
  rerank: 'ranks',
  responses: 'conversations',
};

/** The kinds by a part of the name that a model has at its provider. */
const byName: readonly (readonly [RegExp, ModelKind])[] = [
  [/rerank/i, 'ranks'],
  [/embed|^voyage-|\b(?:bge|e5|gte)-/i, 'embeddings'],
  [/moderation/i, 'moderations'],
  [/whisper|transcribe/i, 'transcriptions'],
  [/\btts\b/i, 'speech'],
  [/dall-e|gpt-image|imagen|stable-diffusion|\bflux\b/i, 'images'],
];

/** Returns the kind of a model by its stated mode, or by its name. Most models are for conversations. */
export const findModelKind = (model: string, mode: string | undefined): ModelKind =>
  (mode === undefined ? undefined : lookUp(byMode, mode)) ??
  byName.find(([part]) => part.test(model))?.[1] ??
  'conversations';
