import { readBound } from '../../../../schema/conversation/bound.ts';
import type { Part, TextPart, ToolResultPart } from '../../../../schema/conversation/conversation.ts';
import { defined } from '../../shared/json/defined.ts';
import type { Member } from '../../shared/json/member.ts';
import { present } from '../../shared/json/present.ts';
import { decodeCache } from '../../shared/parts/cache-hint.ts';
import { findExtensions } from '../../shared/parts/own-value.ts';
import { decodeInput } from '../../shared/request/call-input.ts';
import { isResultContent } from '../../shared/request/tool-results.ts';
import { callMembers } from '../parts/calls.ts';
import { decodeCitation } from '../parts/citations.ts';
import { decodeClosing } from '../parts/closing-thought.ts';
import { decodeServerTool } from '../parts/server-tools.ts';
import { findSignature } from '../parts/signature.ts';
import { decodeMedia, decodeSearchResult } from './documents.ts';

export const decodeText = (block: Member): TextPart => {
  const citations = present(
    block
      .at('citations')
      .maybeItems()
      .map((citation) => decodeCitation(citation.object())),
  );
  return defined({
    kind: 'text' as const,
    text: block.at('text').text(),
    cache: decodeCache(block),
    citations: citations.length > 0 ? citations : undefined,
  });
};

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
    bound: findSignature(block.at('signature').maybeText(), scope),
  });

const decodeBlock = (block: Member, scope: string): readonly Part[] => {
  switch (block.at('type').text()) {
    case 'text':
      return [decodeText(block), ...decodeClosing(block.at('signature').maybeText(), scope)];
    case 'image':
      return decodeMedia(block, 'image');
    case 'document':
      return decodeMedia(block, 'document');
    case 'search_result':
      return [decodeSearchResult(block)];
    case 'tool_use':
      return [
        defined({
          kind: 'tool-call' as const,
          id: block.at('id').text(),
          name: block.at('name').text(),
          ...decodeInput(block.at('input').maybeObject()),
          cache: decodeCache(block),
          extensions: findExtensions(block, callMembers),
        }),
      ];
    case 'tool_result':
      return [decodeResult(block, scope)];
    case 'thinking':
      return [decodeThinking(block, scope)];
    case 'redacted_thinking':
      return [{ kind: 'reasoning', text: '', bound: readBound(block.at('data').text(), 'encrypted', scope) }];
    default: {
      const value = block.object();
      return [decodeServerTool(value) ?? { kind: 'other', dialect: 'messages', value }];
    }
  }
};

/**
 * Decodes a message's content: a string or a list of blocks. An empty string has no parts. `scope` applies to bound values that
 * name none.
 */
export const decodeContent = (content: Member, scope: string): readonly Part[] => {
  if (content.absent || content.value === '') return [];
  if (typeof content.value === 'string') return [{ kind: 'text', text: content.value }];
  return content.items().flatMap((block) => decodeBlock(block, scope));
};
