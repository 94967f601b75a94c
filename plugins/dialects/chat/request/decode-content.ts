import type { MediaPart, Part, TextPart } from '../../../../schema/conversation/conversation.ts';
import { defined } from '../../shared/json/defined.ts';
import type { Member } from '../../shared/json/member.ts';
import { decodeCache } from '../../shared/parts/cache-hint.ts';
import { decodeAudio, fileSource, toSource } from '../../shared/parts/openai-media.ts';
import { findExtensions, type KnownMembers } from '../../shared/parts/own-value.ts';
import { decodeBound, thinkingText, toReasoning } from '../parts/content-blocks.ts';

type Source = MediaPart['source'];

/** Clients send other media as images, as they did before the official types supported them. */
const mediaOf = (source: Source): MediaPart['media'] => {
  const mimeType = ('mimeType' in source ? source.mimeType : undefined) ?? '';
  if (mimeType === 'application/pdf') return 'document';
  const [type] = mimeType.split('/', 1);
  if (type === 'audio' || type === 'video') return type;
  return type === 'text' ? 'document' : 'image';
};

/** Adds the type that a client states to a URL, for services that require a type. */
const withType = (source: Source, mimeType: string | undefined): Source =>
  source.kind === 'url' && mimeType !== undefined ? { ...source, mimeType } : source;

const partNames = ['type', 'cache_control', 'prompt_cache_breakpoint'];
const imagePart: KnownMembers = {
  names: new Set([...partNames, 'image_url']),
  within: { image_url: new Set(['url', 'detail', 'mime_type']) },
};
const filePart: KnownMembers = {
  names: new Set([...partNames, 'file']),
  within: { file: new Set(['file_id', 'file_data', 'file_url', 'mime_type', 'filename']) },
};

const decodeImage = (wire: Member): MediaPart => {
  const image = wire.at('image_url');
  const url = typeof image.value === 'string' ? image.value : image.at('url').text();
  const mimeType = url === image.value ? undefined : image.at('mime_type').maybeText();
  const source = withType(toSource(url, mimeType ?? 'image/jpeg'), mimeType);
  const media = mediaOf(source);
  return defined({
    kind: 'media' as const,
    media,
    source,
    detail: image.at('detail').maybeText(),
    cache: decodeCache(wire),
    // Other media are not written as an image again.
    extensions: media === 'image' ? findExtensions(wire, imagePart) : undefined,
  });
};

const decodeFile = (wire: Member): MediaPart =>
  defined({
    kind: 'media' as const,
    media: 'document' as const,
    source: fileSource(wire.at('file')),
    name: wire.at('file').at('filename').maybeText(),
    cache: decodeCache(wire),
    extensions: findExtensions(wire, filePart),
  });

/** Decodes a video, which compatible providers accept. */
const decodeVideo = (wire: Member): MediaPart => {
  const video = wire.at('video_url');
  const source = toSource(typeof video.value === 'string' ? video.value : video.at('url').text(), 'video/mp4');
  return defined({ kind: 'media' as const, media: 'video' as const, source, cache: decodeCache(wire) });
};

/** Decodes a document, which Mistral accepts: https://docs.mistral.ai/capabilities/document_ai/document_qna */
const decodeDocument = (wire: Member): MediaPart => {
  const document = wire.at('document_url');
  const url = typeof document.value === 'string' ? document.value : document.at('url').text();
  return defined({
    kind: 'media' as const,
    media: 'document' as const,
    source: toSource(url, 'application/pdf'),
    name: wire.at('document_name').maybeText(),
    cache: decodeCache(wire),
  });
};

export const decodeText = (wire: Member): TextPart =>
  defined({ kind: 'text' as const, text: wire.at('text').text(), cache: decodeCache(wire) });

/** Decodes a block of thinking that a client sends back. `scope` applies to bound values that name none. */
export const decodeThinking = (wire: Member, scope: string): Part => {
  const [data, signature] = ['data', 'signature'].map((name) => wire.at(name).maybeText());
  const thinking = wire.at('thinking');
  // Mistral's is a list of texts: https://docs.mistral.ai/capabilities/reasoning
  const text = Array.isArray(thinking.value) ? thinkingText(wire.object()) : (thinking.maybeText() ?? '');
  return toReasoning(text, decodeBound(defined({ data, signature }), scope));
};

const decodePart = (wire: Member, scope: string): Part => {
  switch (wire.at('type').text()) {
    case 'text':
      return decodeText(wire);
    case 'image_url':
      return decodeImage(wire);
    case 'file':
      return decodeFile(wire);
    case 'input_audio':
      return decodeAudio(wire);
    case 'video_url':
      return decodeVideo(wire);
    case 'document_url':
      return decodeDocument(wire);
    case 'refusal':
      return { kind: 'refusal', text: wire.at('refusal').text() };
    case 'thinking':
    case 'redacted_thinking':
      return decodeThinking(wire, scope);
    default:
      return { kind: 'other', dialect: 'chat', value: wire.object() };
  }
};

/** Decodes a message's content: a string or a list of parts. An empty string has no parts. */
export const decodeContent = (content: Member, scope: string): readonly Part[] => {
  if (content.absent || content.value === '') return [];
  if (typeof content.value === 'string') return [{ kind: 'text', text: content.value }];
  return content.items().map((part) => decodePart(part, scope));
};
