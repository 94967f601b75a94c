import type { Conversation } from '../../schema/conversation/conversation.ts';
import type { Json } from '../../schema/json/json.ts';
import type { Capability } from '../../schema/model-facts/capability.ts';
import {
  carriedMedia,
  carriedModality,
  carriedParts,
  plainConversation,
} from '../../schema/model-facts/carried-parts.ts';
import type { CarriedPart } from '../../schema/model-facts/request-needs.ts';
import { conversationParameters } from './conversation-parameters.ts';

/** Something that a request can have, and that not every target can serve. */
export interface Feature {
  readonly id: string;
  /** The name in lists: `tools`, `images by their URL`. */
  readonly name: string;
  /** The capability that the model needs for it. */
  readonly capability?: Capability | undefined;
  /** A request that has it; absent if it is not part of a conversation. */
  readonly sample?: Conversation | undefined;
  /**
   * The losses that belong to the feature, among those that a codec may report for the sample. If absent, all losses that a plain
   * request does not have.
   */
  readonly lost?: readonly string[] | undefined;
  /** Whether it is a parameter, without which requests are still answered. */
  readonly isParameter?: true;
  /** The feature that it is a form of: `image` for `image-url`. */
  readonly formOf?: string;
}

const ofPart = (part: CarriedPart | undefined): Pick<Feature, 'sample' | 'lost'> => ({
  sample: part?.sample,
  lost: part?.lost,
});

const media = {
  image: { name: 'images', capability: 'vision', mimeType: 'image/png' },
  document: { name: 'documents', capability: 'documents', mimeType: 'application/pdf' },
  audio: { name: 'audio', capability: 'audio-input', mimeType: 'audio/wav' },
  video: { name: 'video', capability: 'video-input', mimeType: 'video/mp4' },
} as const;

const places = {
  url: { name: 'by their URL', source: { kind: 'url', url: 'https://example.com/sample' } },
  base64: { name: 'in the request itself', source: { kind: 'base64', data: 'AAAA' } },
  file: { name: 'by the ids of stored files', source: { kind: 'file', id: 'sample' } },
} as const;

const mediaKinds = ['image', 'document', 'audio', 'video'] as const;
const placeKinds = ['url', 'base64', 'file'] as const;

const mediaFeatures: readonly Feature[] = mediaKinds.flatMap((kind) => {
  const { name, capability, mimeType } = media[kind];
  return placeKinds.map((place): Feature => {
    const source = place === 'base64' ? { ...places.base64.source, mimeType } : places[place].source;
    return {
      id: `${kind}-${place}`,
      name: `${name} ${places[place].name}`,
      capability,
      ...ofPart(carriedMedia({ kind: 'media', media: kind, source })),
      formOf: kind,
    };
  });
});

/** For each parameter, a value that requests something beyond the default. */
const values: { readonly [name: string]: Json } = {
  temperature: 0.5,
  top_p: 0.5,
  top_k: 5,
  max_tokens: 100,
  n: 2,
  seed: 1,
  presence_penalty: 0.5,
  frequency_penalty: 0.5,
  stop: ['END'],
  logprobs: true,
  top_logprobs: 2,
  logit_bias: { '50256': -100 },
  reasoning_effort: 'low',
  verbosity: 'low',
  prompt_cache_key: 'sample',
  service_tier: 'flex',
};

const parameterFeatures: readonly Feature[] = Object.entries(values).map(([name, value]) => ({
  id: name,
  name: `"${name}"`,
  sample: { ...plainConversation, ...conversationParameters[name]?.of(value) },
  isParameter: true,
}));

/** Marks a sample that every format can express. */
const carriedByAll = (sample: Conversation): Pick<Feature, 'sample' | 'lost'> => ({ sample, lost: [] });

/** Everything in a request that a target may be unable to serve, the most important first. */
export const features: readonly Feature[] = [
  { id: 'operation', name: 'requests' },
  { id: 'chat', name: 'conversations', capability: 'chat', ...carriedByAll(plainConversation) },
  {
    id: 'streaming',
    name: 'streams',
    capability: 'streaming',
    ...carriedByAll({ ...plainConversation, stream: true }),
  },
  { id: 'tools', name: 'tools', capability: 'tools', ...ofPart(carriedParts.tools) },
  { id: 'json-schema', name: 'required schemas', capability: 'json-schema', ...ofPart(carriedParts.schema) },
  ...mediaFeatures,
  { id: 'audio-output', name: 'spoken answers', capability: 'audio-output', ...ofPart(carriedModality('audio')) },
  { id: 'image-output', name: 'answers with images', capability: 'images', ...ofPart(carriedModality('image')) },
  {
    id: 'reasoning',
    name: 'reasoning',
    capability: 'reasoning',
    ...carriedByAll({ ...plainConversation, reasoning: { kind: 'effort', effort: 'high' } }),
  },
  { id: 'single-calls', name: 'calls of one tool at a time', ...ofPart(carriedParts.singleCalls) },
  {
    id: 'json-object',
    name: 'answers in JSON',
    sample: { ...plainConversation, answerFormat: { kind: 'json' } },
    lost: ['answerFormat'],
  },
  ...parameterFeatures,
];

/** The features that facts about models cover. Neither a plan nor a config reveals whether requests use others. */
export const sureFeatures: readonly Feature[] = features.filter(({ capability }) => capability !== undefined);
