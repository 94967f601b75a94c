import type { DialectDeclaration } from '../../sdk/dialect/dialect.ts';
import { encodeError } from '../chat/parts/encode-error.ts';

/** The declaration of OpenAI's speech, which the gateway reads when it starts. */
export const speechDeclaration: DialectDeclaration = {
  id: 'speech',
  operation: 'speech',
  // The second path is that of Azure's dated versions: https://learn.microsoft.com/azure/ai-foundry/openai/reference-preview
  routes: [
    {
      path: '/audio/speech',
      operationId: 'create_speech',
      summary: "Generates speech from a text, in the form of OpenAI's speech.",
    },
    {
      path: '/openai/deployments/{model}/audio/speech',
      modelInBody: true,
      operationId: 'azure_create_speech',
      summary: 'The same, for a deployment of Azure OpenAI.',
    },
  ],
  passesThrough: true,
  encodeError,
};

/** The declaration of OpenAI's transcriptions. */
export const transcriptionsDeclaration: DialectDeclaration = {
  id: 'transcriptions',
  operation: 'transcribe',
  routes: [
    {
      path: '/audio/transcriptions',
      hasForms: true,
      operationId: 'create_transcription',
      summary: "Transcribes audio, in the form of OpenAI's transcriptions.",
    },
    {
      path: '/openai/deployments/{model}/audio/transcriptions',
      hasForms: true,
      modelInBody: true,
      operationId: 'azure_create_transcription',
      summary: 'The same, for a deployment of Azure OpenAI.',
    },
  ],
  passesThrough: true,
  encodeError,
};

/** The declaration of OpenAI's translations of audio into English. */
export const translationsDeclaration: DialectDeclaration = {
  id: 'translations',
  operation: 'transcribe',
  routes: [
    {
      path: '/audio/translations',
      hasForms: true,
      operationId: 'create_translation',
      summary: "Transcribes audio into English, in the form of OpenAI's translations.",
    },
    {
      path: '/openai/deployments/{model}/audio/translations',
      hasForms: true,
      modelInBody: true,
      operationId: 'azure_create_translation',
      summary: 'The same, for a deployment of Azure OpenAI.',
    },
  ],
  passesThrough: true,
  encodeError,
};
