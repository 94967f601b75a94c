import type { Hearing } from '../wire/hearing.ts';
import { checkedMedia } from '../wire/media.ts';
import type { Members } from '../wire/members.ts';
import { refusal } from '../wire/refusal.ts';

const spokenText = (block: Members): string => {
  const text = block.only(['type', 'text', 'cache_control', 'citations']).text('text');
  if (text === '') throw refusal(block.at, 'text content blocks must be non-empty.');
  return text;
};

const readImage = (block: Members): string => {
  const source = block.only(['type', 'source', 'cache_control']).object('source');
  if (source.word('type', ['base64', 'url', 'file']) !== 'base64')
    return source.text(source.text('type') === 'url' ? 'url' : 'file_id');
  const types = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];
  const mimeType = source.only(['type', 'media_type', 'data']).word('media_type', types);
  return checkedMedia(source.text('data'), mimeType, source.at);
};

const readDocument = (block: Members): string => {
  const source = block.only(['type', 'source', 'title', 'context', 'citations', 'cache_control']).object('source');
  switch (source.word('type', ['base64', 'text', 'url', 'file', 'content'])) {
    case 'base64':
      return checkedMedia(source.text('data'), source.word('media_type', ['application/pdf']), source.at);
    case 'text':
      source.word('media_type', ['text/plain']);
      return source.text('data');
    default:
      return source.has('url') ? source.text('url') : '';
  }
};

/** Parses a block that is allowed in users' messages and tool results. Returns its text if it is a text block. */
export const hearBlock = (block: Members, hearing: Hearing): string | undefined => {
  switch (block.word('type', ['text', 'image', 'document'])) {
    case 'text':
      return spokenText(block);
    case 'image':
      hearing.images.push(readImage(block));
      return undefined;
    default:
      hearing.documents.push(readDocument(block));
      return undefined;
  }
};

/** Returns the texts of a system prompt or message whose content is a string or a list of blocks. */
export const textBlocks = (owner: Members, name: string): readonly string[] => {
  if (!owner.isText(name)) return owner.list(name).map((block) => spokenText(block));
  return [owner.text(name)];
};
