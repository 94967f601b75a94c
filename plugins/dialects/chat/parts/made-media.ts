import type { MediaPart } from '../../../../schema/conversation/conversation.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import { parseDataUrl, toDataUrl } from '../../shared/parts/data-url.ts';

const isImage = ({ media, source }: MediaPart): boolean => media === 'image' && source.kind !== 'file';

/**
 * Returns a message's `images`, where compatible providers put the images that the model drew, or undefined if there are none.
 */
export const encodeImages = (media: readonly MediaPart[]): readonly JsonObject[] | undefined => {
  const urls = media.filter(isImage).flatMap(({ source }): readonly string[] => {
    if (source.kind === 'file') return [];
    return [source.kind === 'url' ? source.url : toDataUrl(source)];
  });
  return urls.length > 0 ? urls.map((url) => ({ type: 'image_url', image_url: { url } })) : undefined;
};

export const decodeImages = (images: Json | undefined): readonly MediaPart[] =>
  toObjects(images).flatMap((image): readonly MediaPart[] => {
    const url = findText(findObject(image.image_url)?.url) ?? findText(image.image_url);
    if (url === undefined) return [];
    const inline = parseDataUrl(url);
    return [
      {
        kind: 'media',
        media: 'image',
        source:
          inline === undefined
            ? { kind: 'url', url }
            : { kind: 'base64', mimeType: inline.mimeType === '' ? 'image/png' : inline.mimeType, data: inline.data },
      },
    ];
  });

/** How the audio formats that a client can request begin, in base64. Raw samples have no header. */
const beginnings: readonly (readonly [RegExp, string])[] = [
  [/^UklGR/, 'audio/wav'],
  [/^ZkxhQ/, 'audio/flac'],
  [/^T2dnU/, 'audio/ogg'],
  [/^(?:SUQz|\/\/[I-Po-v])/, 'audio/mpeg'],
];

/** Returns audio as a part. An answer does not name the format of its audio, so it is recognised by its beginning. */
export const audioPart = (data: string): MediaPart => {
  const [, mimeType = 'audio/pcm'] = beginnings.find(([beginning]) => beginning.test(data)) ?? [];
  return { kind: 'media', media: 'audio', source: { kind: 'base64', mimeType, data } };
};

/** The audio of one choice of a stream. Each of its pieces is encoded separately. */
export class AudioAssembly {
  readonly #pieces: Buffer[] = [];

  push(audio: JsonObject | undefined): void {
    const data = findText(audio?.data) ?? '';
    if (data !== '') this.#pieces.push(Buffer.from(data, 'base64'));
  }

  /** Returns undefined if there was no audio. */
  part(): MediaPart | undefined {
    if (this.#pieces.length === 0) return undefined;
    return audioPart(Buffer.concat(this.#pieces).toString('base64'));
  }
}

/** Returns the data of the first audio among the media. A message has only one. */
export const audioData = (media: readonly MediaPart[]): string | undefined => {
  const audio = media.find(({ media: kind, source }) => kind === 'audio' && source.kind === 'base64');
  return audio?.source.kind === 'base64' ? audio.source.data : undefined;
};

/** https://platform.openai.com/docs/api-reference/chat/object: an id and an expiry time are required. */
export const encodeAudio = (data: string, transcript: string): JsonObject => ({
  id: 'gw-audio',
  data,
  expires_at: 0,
  transcript,
});
