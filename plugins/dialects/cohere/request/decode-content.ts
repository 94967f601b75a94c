import type { MediaPart, Part, ResultContent, TextPart } from '../../../../schema/conversation/conversation.ts';
import { defined } from '../../shared/json/defined.ts';
import type { Member } from '../../shared/json/member.ts';
import { parseDataUrl } from '../../shared/parts/data-url.ts';
import { findExtensions, type KnownMembers } from '../../shared/parts/own-value.ts';
import { decodeThinking } from '../parts/thinking.ts';
import { decodeResultDocument } from './documents.ts';

const imagePart: KnownMembers = {
  names: new Set(['type', 'image_url']),
  within: { image_url: new Set(['url', 'detail']) },
};

const decodeImage = (block: Member): MediaPart => {
  const image = block.at('image_url');
  const url = typeof image.value === 'string' ? image.value : image.at('url').text();
  const inline = parseDataUrl(url);
  return defined({
    kind: 'media' as const,
    media: 'image' as const,
    source: inline === undefined ? { kind: 'url' as const, url } : { kind: 'base64' as const, ...inline },
    detail: typeof image.value === 'string' ? undefined : image.at('detail').maybeText(),
    extensions: findExtensions(block, imagePart),
  });
};

const other = (block: Member): Part & { kind: 'other' } => ({
  kind: 'other',
  dialect: 'cohere',
  value: block.object(),
});

const decodeBlock = (block: Member, scope: string): Part | undefined => {
  switch (block.at('type').text()) {
    case 'text':
      return { kind: 'text', text: block.at('text').text() };
    case 'image_url':
      return decodeImage(block);
    case 'thinking':
      block.at('thinking').maybeText();
      return decodeThinking(block.object(), scope);
    default:
      return other(block);
  }
};

const isSaid = (content: Member): boolean => !content.absent && content.value !== '';

/** Returns the parts of a message's content, each with its index. An empty string has no parts. */
export const decodeContent = (content: Member, scope: string): readonly (readonly [number, Part])[] => {
  if (!isSaid(content)) return [];
  if (typeof content.value === 'string') return [[0, { kind: 'text', text: content.value }]];
  return content.items().flatMap((block, index) => {
    const part = decodeBlock(block, scope);
    return part === undefined ? [] : [[index, part] as const];
  });
};

/** Decodes instructions, which contain only text. */
export const decodeTexts = (content: Member): readonly TextPart[] => {
  if (!isSaid(content)) return [];
  if (typeof content.value === 'string') return [{ kind: 'text', text: content.value }];
  return content.items().map((block) => ({ kind: 'text', text: block.at('text').text() }));
};

/** Decodes a tool's result: texts and documents. */
export const decodeResultContent = (content: Member): readonly ResultContent[] => {
  if (!isSaid(content)) return [];
  if (typeof content.value === 'string') return [{ kind: 'text', text: content.value }];
  return content.items().map((block) => {
    switch (block.at('type').text()) {
      case 'text':
        return { kind: 'text', text: block.at('text').text() };
      case 'document':
        return decodeResultDocument(block.at('document'));
      default:
        return other(block);
    }
  });
};
