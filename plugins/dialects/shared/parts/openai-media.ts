import type { MediaPart } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { defined } from '../json/defined.ts';
import type { Member } from '../json/member.ts';
import { decodeCache } from './cache-hint.ts';
import { parseDataUrl } from './data-url.ts';
import { findExtensions, type KnownMembers } from './own-value.ts';

type Source = MediaPart['source'];

/**
 * Whether a text is plain base64, judging by its beginning, because it may be megabytes long: it has no scheme, and no dots,
 * which a file name has.
 */
const isBase64 = (text: string): boolean => /^[\w+/-]+={0,2}$/.test(text.slice(0, 64));

/** Decodes a URL, the contents of a `data:` URL, or plain base64. `mimeType` applies to a source without a type. */
export const toSource = (url: string, mimeType = ''): Source => {
  const inline = parseDataUrl(url);
  if (inline === undefined) return isBase64(url) ? { kind: 'base64', mimeType, data: url } : { kind: 'url', url };
  return { kind: 'base64', mimeType: inline.mimeType === '' ? mimeType : inline.mimeType, data: inline.data };
};

/**
 * Decodes `file_id`, `file_data` or `file_url` of a file. Clients send the data as a `data:` URL, as plain base64, or as the
 * address that OpenRouter accepts in its place: https://openrouter.ai/docs/features/multimodal/pdfs
 */
export const fileSource = (file: Member): Source => {
  const id = file.at('file_id').maybeText();
  if (id !== undefined) return { kind: 'file', id };
  const mimeType = file.at('mime_type').maybeText() ?? 'application/pdf';
  const data = file.at('file_data').maybeText();
  if (data === undefined) return { kind: 'url', url: file.at('file_url').text() };
  const source = toSource(data, mimeType);
  return source.kind === 'url' && !/^https?:\/\//i.test(data) ? { kind: 'base64', mimeType, data } : source;
};

/** The types of formats with another name. All other types are `audio/` and the format. */
const audioTypes: ReadonlyMap<string, string> = new Map([
  ['mp3', 'audio/mpeg'],
  ['mpga', 'audio/mpeg'],
  ['opus', 'audio/ogg'],
  ['pcm16', 'audio/pcm'],
]);

const audioPart: KnownMembers = {
  names: new Set(['type', 'input_audio', 'cache_control', 'prompt_cache_breakpoint']),
  within: { input_audio: new Set(['data', 'format']) },
};

export const decodeAudio = (wire: Member): MediaPart => {
  const audio = wire.at('input_audio');
  const format = audio.at('format').text();
  const mimeType = audioTypes.get(format) ?? `audio/${format}`;
  return defined({
    kind: 'media' as const,
    media: 'audio' as const,
    source: { kind: 'base64' as const, mimeType, data: audio.at('data').text() },
    cache: decodeCache(wire),
    extensions: findExtensions(wire, audioPart),
  });
};

/** Formats whose types have another name, because libraries guess the type of a file that ends in .wav. */
const audioFormats: ReadonlyMap<string, string> = new Map([
  ['audio/mpeg', 'mp3'],
  ['audio/x-wav', 'wav'],
  ['audio/wave', 'wav'],
  ['audio/vnd.wave', 'wav'],
  ['audio/pcm', 'pcm16'],
]);

/** Returns undefined for audio that is not inline. */
export const encodeAudio = ({ source }: MediaPart): JsonObject | undefined => {
  if (source.kind !== 'base64') return undefined;
  const format = audioFormats.get(source.mimeType) ?? source.mimeType.replace(/^audio\//, '');
  return { type: 'input_audio', input_audio: { data: source.data, format } };
};

/** Returns the text of a plain-text document, which is sent as text because not every model accepts documents other than PDF. */
export const plainText = (source: Source): string | undefined =>
  source.kind === 'base64' && source.mimeType.startsWith('text/')
    ? Buffer.from(source.data, 'base64').toString('utf8')
    : undefined;
