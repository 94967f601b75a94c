import {
  before,
  facts,
  instructions,
  list,
  type Member,
  type Members,
  map,
  media,
  object,
  structural,
  text,
} from '../../shared/checked-texts/members.ts';
import { content } from './parts.ts';
import { bothCases } from './spelling.ts';

const both = (members: Members): Member => object(bothCases(members));

const voice = both({
  voice: structural,
  prebuiltVoiceConfig: both({ voiceName: structural }),
  replicatedVoiceConfig: both({
    mimeType: structural,
    voiceSampleAudio: media,
    consentAudio: media,
    voiceConsentSignature: both({ signature: structural }),
  }),
});

const speech = both({
  languageCode: structural,
  voiceConfig: voice,
  multiSpeakerVoiceConfig: both({
    speakerVoiceConfigs: list(both({ speaker: structural, voiceConfig: voice })),
  }),
});

const image = both({
  aspectRatio: structural,
  imageSize: structural,
  personGeneration: structural,
  prominentPeople: structural,
  outputMimeType: structural,
  outputCompressionQuality: structural,
  imageOutputOptions: both({ mimeType: structural, compressionQuality: structural }),
});

const transcription = both({
  sourceText: text(),
  customVocabulary: list(text()),
  adaptationPhrases: list(text()),
  languageCodes: facts,
  languageHints: facts,
  languageAuto: facts,
  wordTimestamp: structural,
  diarization: structural,
  mode: structural,
});

/** https://ai.google.dev/api/generate-content#generationconfig */
const generation = both({
  temperature: structural,
  topP: structural,
  topK: structural,
  seed: structural,
  candidateCount: structural,
  maxOutputTokens: structural,
  stopSequences: instructions,
  presencePenalty: structural,
  frequencyPenalty: structural,
  responseLogprobs: structural,
  logprobs: structural,
  responseMimeType: structural,
  responseSchema: instructions,
  responseJsonSchema: instructions,
  _responseJsonSchema: instructions,
  responseFormat: instructions,
  responseModalities: list(structural),
  mediaResolution: structural,
  audioTimestamp: structural,
  enableAffectiveDialog: structural,
  enableEnhancedCivicAnswers: structural,
  thinkingConfig: both({ includeThoughts: structural, thinkingBudget: structural, thinkingLevel: structural }),
  speechConfig: speech,
  audioTranscriptionConfig: transcription,
  imageConfig: image,
  modelConfig: both({ featureSelectionPreference: structural }),
  modelSelectionConfig: both({ featureSelectionPreference: structural }),
  routingConfig: both({
    autoMode: both({ modelRoutingPreference: structural }),
    manualMode: both({ modelName: structural }),
  }),
  translationConfig: both({ echoTargetLanguage: structural, targetLanguageCode: structural }),
});

const settings: Members = bothCases({
  model: structural,
  stream: structural,
  tools: instructions,
  toolConfig: instructions,
  safetySettings: list(both({ category: structural, threshold: structural, method: structural })),
  generationConfig: generation,
  cachedContent: structural,
  labels: map(structural),
  serviceTier: structural,
  store: structural,
  continuationToken: structural,
  automaticContinuation: structural,
  modelArmorConfig: both({ promptTemplateName: structural, responseTemplateName: structural }),
  generationOutputConfig: both({ outputUriPrefix: structural }),
});

export const turn: Member = content(bothCases);

/** https://ai.google.dev/api/generate-content#request-body and https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference */
export const requestMembers: Members = {
  ...bothCases({ systemInstruction: before(turn) }),
  contents: list(turn),
  ...settings,
};
