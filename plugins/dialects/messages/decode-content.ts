import { readBound } from '../../../schema/bound.ts';
import type { MediaPart, Part, TextPart, ToolResultPart } from '../../../schema/conversation.ts';
import { decodeCache } from '../wire/cache-hint.ts';
import { defined } from '../wire/defined.ts';
import type { Member } from '../wire/member.ts';
import { signatureOf } from './signature.ts';

const decodeSource = (source: Member): MediaPart['source'] | undefined => {
  switch (source.at('type').text()) {
    case 'base64':
      return { kind: 'base64', mimeType: source.at('media_type').text(), data: source.at('data').text() };
    case 'url':
      return { kind: 'url', url: source.at('url').text() };
    case 'file':
      return { kind: 'file', id: source.at('file_id').text() };
    case 'text': {
      const data = Buffer.from(source.at('data').text(), 'utf8').toString('base64');
      return { kind: 'base64', mimeType: 'text/plain', data };
    }
    default:
      return undefined;
  }
};

const decodeMedia = (block: Member, media: 'image' | 'document'): Part => {
  const source = decodeSource(block.at('source'));
  if (source === undefined) return { kind: 'other', dialect: 'messages', value: block.object() };
  const name = block.at('title').maybeText();
  return defined({ kind: 'media' as const, media, source, name, cache: decodeCache(block) });
};

export const decodeText = (block: Member): TextPart =>
  defined({ kind: 'text' as const, text: block.at('text').text(), cache: decodeCache(block) });

const isResultContent = (part: Part): part is ToolResultPart['parts'][number] =>
  part.kind === 'text' || part.kind === 'media' || part.kind === 'other';

const decodeResult = (block: Member, scope: string): ToolResultPart =>
  defined({
    kind: 'tool-result' as const,
    id: block.at('tool_use_id').text(),
    parts: decodeContent(block.at('content'), scope).filter(isResultContent),
    failed: block.at('is_error').maybeBoolean() === true ? (true as const) : undefined,
    cache: decodeCache(block),
  });

const decodeThinking = (block: Member, scope: string): Part =>
  defined({
    kind: 'reasoning' as const,
    text: block.at('thinking').maybeText() ?? '',
    bound: signatureOf(block.at('signature').maybeText(), scope),
  });

const decodeBlock = (block: Member, scope: string): Part => {
  switch (block.at('type').text()) {
    case 'text':
      return decodeText(block);
    case 'image':
      return decodeMedia(block, 'image');
    case 'document':
      return decodeMedia(block, 'document');
    case 'tool_use':
      return defined({
        kind: 'tool-call' as const,
        id: block.at('id').text(),
        name: block.at('name').text(),
        arguments: JSON.stringify(block.at('input').maybeObject() ?? {}),
        cache: decodeCache(block),
      });
    case 'tool_result':
      return decodeResult(block, scope);
    case 'thinking':
      return decodeThinking(block, scope);
    case 'redacted_thinking':
      return { kind: 'reasoning', text: '', bound: readBound(block.at('data').text(), 'encrypted', scope) };
    default:
      return { kind: 'other', dialect: 'messages', value: block.object() };
  }
};

/** A message's content: a string or a list of blocks; an empty string has no parts. `scope` is that of bound values which name none. */
export const decodeContent = (content: Member, scope: string): readonly Part[] => {
  if (content.absent || content.value === '') return [];
  if (typeof content.value === 'string') return [{ kind: 'text', text: content.value }];
  return content.items().map((block) => decodeBlock(block, scope));
};
