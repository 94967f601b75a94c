import type { Part, ResultContent, TextPart, ToolResultPart } from '../../../../schema/conversation/conversation.ts';
import { exactlyAt } from '../../../../schema/json/exact-numbers.ts';
import { defined } from '../../shared/json/defined.ts';
import { Member } from '../../shared/json/member.ts';
import { findExtensions, type KnownMembers } from '../../shared/parts/own-value.ts';
import { decodeInput } from '../../shared/request/call-input.ts';
import { isResultContent } from '../../shared/request/tool-results.ts';
import { decodeReasoning } from '../parts/bound-values.ts';
import { callMembers } from '../parts/calls.ts';
import { decodeCitation } from '../parts/citations.ts';
import { decodeMedia, mediaKinds } from '../parts/decode-media.ts';
import { decodeServerCall, decodeServerResult, isServerCall } from '../parts/server-tools.ts';
import { withCacheHints } from './cache-points.ts';

/** The side that a message belongs to, and the scope of bound values that name none. */
export interface DecodeContext {
  readonly isModel: boolean;
  readonly scope: string;
}

const textPart = (text: string): TextPart => ({ kind: 'text', text });

/** Decodes a text that is marked for a guardrail. It becomes an ordinary text for any other provider. */
const decodeGuarded = (guarded: Member): Part | undefined => {
  const text = guarded.at('text');
  return text.absent ? decodeMedia('image', guarded.object()) : textPart(text.at('text').text());
};

const decodeCited = (content: Member): TextPart => {
  const citations = content
    .at('citations')
    .maybeItems()
    .map((each) => decodeCitation(each.object()));
  const texts = content.at('content').maybeItems();
  return defined({
    kind: 'text' as const,
    text: texts.map((each) => each.at('text').text()).join(''),
    citations: citations.length > 0 ? citations : undefined,
  });
};

const mediaMembers = new Set(['format', 'name', 'source', 'context', 'citations']);
const mediaBlock: KnownMembers = {
  names: new Set(mediaKinds),
  within: Object.fromEntries(mediaKinds.map((kind) => [kind, mediaMembers])),
};

const decodeKnownMedia = (block: Member): Part | undefined => {
  const kind = mediaKinds.find((each) => !block.at(each).absent);
  if (kind === undefined) return undefined;
  const media = decodeMedia(kind, block.object()) ?? block.at(kind).fail('must be an object with a source');
  return media.kind === 'media' ? defined({ ...media, extensions: findExtensions(block, mediaBlock) }) : media;
};

const decodeResultContent = (block: Member): ResultContent => {
  if (!block.at('text').absent) return textPart(block.at('text').text());
  const json = exactlyAt(block.object(), 'json');
  if (json !== undefined) return { kind: 'json', value: json };
  const media = decodeKnownMedia(block);
  return media !== undefined && isResultContent(media)
    ? media
    : { kind: 'other', dialect: 'converse', value: block.object() };
};

const decodeResult = (result: Member): ToolResultPart =>
  defined({
    kind: 'tool-result' as const,
    id: result.at('toolUseId').text(),
    parts: result.at('content').maybeItems().map(decodeResultContent),
    failed: result.at('status').maybeText() === 'error' ? (true as const) : undefined,
  });

const decodeCall = (block: Member): Part => {
  const call = block.at('toolUse');
  return defined({
    kind: 'tool-call' as const,
    id: call.at('toolUseId').text(),
    name: call.at('name').text(),
    ...decodeInput(call.at('input').maybeObject()),
    extensions: findExtensions(block, callMembers),
  });
};

const decodeBlock = (block: Member, { isModel, scope }: DecodeContext): Part | undefined => {
  const text = block.at('text');
  if (!text.absent) return textPart(text.text());
  const call = block.at('toolUse');
  if (!call.absent) return isServerCall(call.object()) ? decodeServerCall(block.object()) : decodeCall(block);
  const result = block.at('toolResult');
  if (!result.absent) return isModel ? decodeServerResult(block.object()) : decodeResult(result);
  const reasoning = block.at('reasoningContent');
  if (!reasoning.absent) return decodeReasoning(reasoning.object(), scope);
  if (!block.at('citationsContent').absent) return decodeCited(block.at('citationsContent'));
  const guarded = block.at('guardContent');
  if (!guarded.absent) return decodeGuarded(guarded);
  return decodeKnownMedia(block) ?? { kind: 'other', dialect: 'converse', value: block.object() };
};

/** Returns a document, preceded by what the client says about it. */
const withContext = (block: Member): readonly Member[] => {
  const context = block.at('document').at('context');
  const text = context.maybeText() ?? '';
  return text === '' ? [block] : [new Member(block.dialect, context.path, { text }), block];
};

/** Decodes the content of a message. Each block has one member, which identifies its kind. */
export const decodeContent = (content: Member, context: DecodeContext): readonly Part[] =>
  withCacheHints(content.maybeItems().flatMap(withContext), (block) => decodeBlock(block, context));

/** Decodes the system prompt: texts, and texts that are marked for a guardrail. */
export const decodeSystem = (system: Member): readonly TextPart[] =>
  withCacheHints(system.maybeItems(), (block) => {
    const guarded = block.at('guardContent');
    if (guarded.absent) return textPart(block.at('text').text());
    if (guarded.at('text').absent) guarded.fail('must have a text in an instruction');
    return textPart(guarded.at('text').at('text').text());
  });
