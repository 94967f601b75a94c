import fc from 'fast-check';
import type { MediaPart } from '../../../../../schema/conversation/conversation.ts';
import { base64, cache, extensionsIn, id, said, sometimes, textAsBase64 } from './basics.ts';

type Source = MediaPart['source'];

const url: fc.Arbitrary<Source> = fc.record({ kind: fc.constant('url' as const), url: fc.webUrl() });
/** File ids of two vendors, and of any other. */
const file: fc.Arbitrary<Source> = fc
  .tuple(fc.constantFrom('file-', 'file_', ''), id)
  .map(([vendor, rest]) => ({ kind: 'file', id: vendor + rest }));
const data = (mimeType: string, of: fc.Arbitrary<string> = base64): fc.Arbitrary<Source> =>
  fc.record({ kind: fc.constant('base64' as const), mimeType: fc.constant(mimeType), data: of });

/** The names of the objects in which dialects have media. */
const holders = (kind: MediaPart['media'], source: Source): Readonly<Record<string, string | undefined>> => ({
  chat: { image: 'image_url', document: 'file', audio: 'input_audio', video: undefined }[kind],
  messages: 'source',
  responses: kind === 'audio' ? 'input_audio' : undefined,
  gemini: source.kind === 'url' ? 'fileData' : 'inlineData',
  converse: kind,
  cohere: 'image_url',
});

const media = (kind: MediaPart['media'], ...sources: readonly fc.Arbitrary<Source>[]): fc.Arbitrary<MediaPart> =>
  fc.oneof(...sources).chain((source) =>
    sometimes({
      name: said,
      detail: fc.constantFrom('low', 'high'),
      cache,
      extensions: extensionsIn(holders(kind, source)),
    }).map((more) => ({ kind: 'media', media: kind, source, ...more })),
  );

export const mediaPart: fc.Arbitrary<MediaPart> = fc.oneof(
  { weight: 3, arbitrary: media('image', url, file, data('image/png')) },
  {
    weight: 3,
    arbitrary: media(
      'document',
      url,
      file,
      data('application/pdf'),
      data('text/plain', textAsBase64),
      data('text/markdown', textAsBase64),
    ),
  },
  { weight: 2, arbitrary: media('audio', data('audio/wav')) },
  { weight: 1, arbitrary: media('video', url, data('video/mp4')) },
);

export const plainImage: fc.Arbitrary<MediaPart> = fc
  .oneof(url, data('image/png'))
  .map((source) => ({ kind: 'media', media: 'image', source }));

/** Media that a model generates. */
export const madeMedia: fc.Arbitrary<MediaPart> = fc.oneof(
  plainImage,
  data('audio/wav').map((source): MediaPart => ({ kind: 'media', media: 'audio', source })),
);
