/** The capabilities of models, each described in one sentence. The list is closed: any other word is an error. */
export const capabilityTexts = {
  chat: 'It answers conversations.',
  streaming: 'Its answers can come as a stream.',
  tools: 'It calls tools that a request describes.',
  'json-schema': 'Its answers can be held to a JSON schema.',
  reasoning: 'It reasons before it answers.',
  caching: 'Its provider caches the beginnings of prompts.',
  vision: 'It reads images.',
  documents: 'It reads documents, such as PDF.',
  'audio-input': 'It hears audio.',
  'video-input': 'It watches video.',
  'audio-output': 'It speaks in conversations.',
  embeddings: 'It makes vectors of texts.',
  rerank: 'It orders documents by a query.',
  images: 'It makes images.',
  speech: 'It reads texts aloud.',
  transcription: 'It writes down what is said.',
  moderation: 'It classifies texts by what is harmful.',
} as const;

/** Something that a model can or cannot do. */
export type Capability = keyof typeof capabilityTexts;

/** All of them, in the order in which they are listed. */
export const capabilities: readonly Capability[] = Object.keys(capabilityTexts) as Capability[];

/** The capabilities that say what a model is for. Nearly every model has one of them. */
export const modelKinds: readonly Capability[] = [
  ...(['chat', 'embeddings', 'rerank', 'images', 'speech', 'transcription', 'moderation'] as const),
];

/** Whether a string is the name of a capability. */
export const isCapability = (text: string): text is Capability => Object.hasOwn(capabilityTexts, text);

/** Parses a list such as `tools,vision`. Returns the capabilities, and the first name that is not one. */
export const readCapabilities = (
  text: string,
): { readonly wanted: readonly Capability[]; readonly unknown?: string | undefined } => {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return { wanted: names.filter(isCapability), unknown: names.find((name) => !isCapability(name)) };
};
