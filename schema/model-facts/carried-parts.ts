import type { Conversation, MediaPart } from '../conversation/conversation.ts';
import type { Lack } from './lack.ts';
import type { CarriedPart } from './request-needs.ts';

/** A request that asks for nothing but an answer. */
export const plainConversation: Conversation = {
  system: [],
  turns: [{ role: 'user', parts: [{ kind: 'text', text: 'Hello.' }] }],
  tools: [],
  sampling: {},
  stream: false,
  extensions: {},
};

const parameters = { type: 'object', properties: {} };
const tools = [{ kind: 'function', name: 'sample', parameters }] as const;

/** The parts that have one form. */
export const carriedParts: { readonly [Part in 'tools' | 'singleCalls' | 'schema']: CarriedPart } = {
  tools: { lack: 'tools', lost: ['tools', 'tools[0]'], sample: { ...plainConversation, tools } },
  singleCalls: {
    lack: 'parallel-tool-calls',
    lost: ['toolChoice', 'toolChoice.parallel'],
    sample: { ...plainConversation, tools, toolChoice: { mode: 'auto', parallel: false } },
  },
  schema: {
    lack: 'json-schema',
    lost: ['answerFormat'],
    sample: { ...plainConversation, answerFormat: { kind: 'schema', name: 'sample', schema: parameters } },
  },
};

const modality = (lack: Lack, kind: string): CarriedPart => ({
  lack,
  lost: ['modalities'],
  sample: { ...plainConversation, modalities: ['text', kind] },
});

const modalities = new Map([
  ['audio', modality('audio-output', 'audio')],
  ['image', modality('images', 'image')],
]);

/** Returns the part that asks for a kind of answer; undefined for kinds that every format supports. */
export const carriedModality = (kind: string): CarriedPart | undefined => modalities.get(kind);

const kinds = {
  image: { lack: 'vision', mimeType: 'image/png' },
  document: { lack: 'documents', mimeType: 'application/pdf' },
  audio: { lack: 'audio-input', mimeType: 'audio/wav' },
  video: { lack: 'video-input', mimeType: 'video/mp4' },
} as const satisfies Record<MediaPart['media'], { readonly lack: Lack; readonly mimeType: string }>;

type Source = MediaPart['source'];

const sources = (mimeType: string): { readonly [Kind in Source['kind']]: Source } => ({
  url: { kind: 'url', url: 'https://example.com/sample', mimeType },
  base64: { kind: 'base64', mimeType, data: 'AAAA' },
  file: { kind: 'file', id: 'sample' },
});

const mediumPart = (media: MediaPart['media'], source: Source): CarriedPart => ({
  lack: kinds[media].lack,
  lost: ['turns[0].parts[1]', 'turns[0].parts[1].media'],
  sample: {
    ...plainConversation,
    turns: [
      {
        role: 'user',
        parts: [
          { kind: 'text', text: 'Hello.' },
          { kind: 'media', media, source },
        ],
      },
    ],
  },
});

const media = (kind: MediaPart['media']): { readonly [Kind in Source['kind']]: CarriedPart } => {
  const { url, base64, file } = sources(kinds[kind].mimeType);
  return { url: mediumPart(kind, url), base64: mediumPart(kind, base64), file: mediumPart(kind, file) };
};

const mediaParts: { readonly [Kind in MediaPart['media']]: ReturnType<typeof media> } = {
  image: media('image'),
  document: media('document'),
  audio: media('audio'),
  video: media('video'),
};

/** Returns the part for a medium, by its kind and its source; undefined if only its provider knows the source. */
export const carriedMedia = ({ media: kind, source }: MediaPart): CarriedPart | undefined =>
  source.kind === 'url' && !/^https?:/i.test(source.url) ? undefined : mediaParts[kind][source.kind];

const ownTools = new Map<string, CarriedPart>();

/** A tool that the provider itself runs, in the form of one dialect. */
export const ownTool = (dialect: string): CarriedPart => {
  const known = ownTools.get(dialect);
  if (known !== undefined) return known;
  const part: CarriedPart = {
    ...carriedParts.tools,
    sample: { ...plainConversation, tools: [{ kind: 'other', dialect, value: { type: 'sample' } }] },
  };
  ownTools.set(dialect, part);
  return part;
};
