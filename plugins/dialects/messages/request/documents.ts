import type { MediaPart, Part, TextPart } from '../../../../schema/conversation/conversation.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { findObject, toObjects } from '../../../../schema/json/loose.ts';
import { defined } from '../../shared/json/defined.ts';
import type { Member } from '../../shared/json/member.ts';
import { decodeCache } from '../../shared/parts/cache-hint.ts';
import { isCloudFileUrl } from '../../shared/parts/cloud-file-url.ts';
import { findExtensions, type KnownMembers } from '../../shared/parts/own-value.ts';

type Source = MediaPart['source'];

const plainText = (text: string): Source => ({
  kind: 'base64',
  mimeType: 'text/plain',
  data: Buffer.from(text, 'utf8').toString('base64'),
});

/** Returns the text of content that consists of texts, or undefined if it contains anything else. */
const textOfContent = (content: Json | undefined): string | undefined => {
  if (typeof content === 'string') return content;
  const blocks = toObjects(content);
  const texts = blocks.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []));
  return texts.length === blocks.length ? texts.join('\n') : undefined;
};

const decodeSource = (source: Member): Source | undefined => {
  switch (source.at('type').text()) {
    case 'base64':
      return { kind: 'base64', mimeType: source.at('media_type').text(), data: source.at('data').text() };
    case 'url':
      return { kind: 'url', url: source.at('url').text() };
    case 'file':
      return { kind: 'file', id: source.at('file_id').text() };
    case 'text':
      return plainText(source.at('data').text());
    case 'content': {
      const text = textOfContent(source.at('content').value);
      return text === undefined ? undefined : plainText(text);
    }
    default:
      return undefined;
  }
};

const mediaBlock: KnownMembers = {
  names: new Set(['type', 'source', 'context', 'title', 'citations', 'cache_control', 'prompt_cache_breakpoint']),
  within: { source: new Set(['type', 'media_type', 'data', 'url', 'file_id', 'content']) },
};

/** Decodes an image, or a document preceded by what the client says about it. */
export const decodeMedia = (block: Member, media: 'image' | 'document'): readonly Part[] => {
  const source = decodeSource(block.at('source'));
  if (source === undefined) return [{ kind: 'other', dialect: 'messages', value: block.object() }];
  const context = block.at('context').maybeText() ?? '';
  const name = block.at('title').maybeText();
  const part = defined({
    kind: 'media' as const,
    media,
    source,
    name,
    cache: decodeCache(block),
    extensions: findExtensions(block, mediaBlock),
  });
  return context === '' ? [part] : [{ kind: 'text', text: context }, part];
};

/** Decodes a search result from the client: its title, its source, and its text, as other formats have it. */
export const decodeSearchResult = (block: Member): TextPart => {
  const text = textOfContent(block.at('content').value) ?? '';
  const lines = [block.at('title').text(), block.at('source').text(), text].filter((line) => line !== '');
  return defined({ kind: 'text' as const, text: lines.join('\n'), cache: decodeCache(block) });
};

const isCiting = (value: Json): boolean =>
  isJsonObject(value) && (findObject(value.citations)?.enabled === true || toObjects(value.content).some(isCiting));

/** Returns `citations`, if the documents of the messages enable them. The API requires that all of them agree. */
export const findCitations = (messages: Member): JsonObject | undefined =>
  messages.items().some(({ value }) => isJsonObject(value) && isCiting(value)) ? { enabled: true } : undefined;

/** A file's id means something only to the service that stores the file. Ids from Anthropic begin like this. */
const ownFile = /^file_/;

/** Whether the format has media, and can refer to their source. */
export const isExpressible = ({ media, source }: MediaPart): boolean => {
  if (media === 'audio' || media === 'video') return false;
  return source.kind === 'url' ? !isCloudFileUrl(source.url) : source.kind !== 'file' || ownFile.test(source.id);
};

/** Returns undefined for media that the format does not have, and for a file that another vendor stores. */
export const encodeSource = (part: MediaPart): JsonObject | undefined => {
  const { media, source } = part;
  if (!isExpressible(part)) return undefined;
  if (source.kind === 'url') return { type: 'url', url: source.url };
  if (source.kind === 'file') return { type: 'file', file_id: source.id };
  if (media === 'document' && source.mimeType.startsWith('text/')) {
    const data = Buffer.from(source.data, 'base64').toString('utf8');
    return { type: 'text', media_type: 'text/plain', data };
  }
  return { type: 'base64', media_type: source.mimeType, data: source.data };
};
