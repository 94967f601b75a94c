import {
  chatSpeaker,
  completionsSpeaker,
  embeddingsSpeaker,
  imagesSpeaker,
  moderationsSpeaker,
  responsesSpeaker,
} from './openai-speakers.ts';
import {
  cohereSpeaker,
  converseSpeaker,
  geminiSpeaker,
  messagesSpeaker,
  ocrSpeaker,
  rerankSpeaker,
} from './other-speakers.ts';
import type { Speaker } from './speaker.ts';

/** A speaker for every client dialect. */
export const speakers: readonly Speaker[] = [
  chatSpeaker,
  messagesSpeaker,
  responsesSpeaker,
  geminiSpeaker,
  converseSpeaker,
  cohereSpeaker,
  completionsSpeaker,
  embeddingsSpeaker,
  rerankSpeaker,
  moderationsSpeaker,
  ocrSpeaker,
  imagesSpeaker,
];
