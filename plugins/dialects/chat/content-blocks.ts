import { readBound, tagBound } from '../../../schema/bound.ts';
import type { AnswerEvent, BoundValue, Part, ReasoningPart } from '../../../schema/conversation.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { defined } from '../wire/defined.ts';
import { objectsOf, textOf } from '../wire/loose.ts';

/** `content_blocks`: a non-strict answer's parts in order, including those that OpenAI's format cannot express. */
export const encodeBlocks = (parts: readonly Part[]): readonly JsonObject[] =>
  parts.flatMap((part): readonly JsonObject[] => {
    if (part.kind === 'text') return [{ type: 'text', text: part.text }];
    if (part.kind !== 'reasoning') return [];
    const { bound } = part;
    if (bound?.kind === 'encrypted') return [{ type: 'redacted_thinking', data: tagBound(bound) }];
    return [defined({ type: 'thinking', thinking: part.text, signature: bound && tagBound(bound) })];
  });

/** `scope` is that of bound values which name none. */
export const decodeBlock = (block: JsonObject, scope: string): Part | undefined => {
  switch (block.type) {
    case 'text': {
      const text = textOf(block.text) ?? '';
      return text === '' ? undefined : { kind: 'text', text };
    }
    case 'thinking':
      return toReasoning(thinkingText(block), signatureOf(textOf(block.signature), scope));
    case 'redacted_thinking':
      return toReasoning('', readBound(textOf(block.data) ?? '', 'encrypted', scope));
    default:
      return { kind: 'other', dialect: 'chat', value: block };
  }
};

/** One item of a non-strict `delta.content_blocks`, without its index. */
export const reasoningDelta = ({ text, bound }: Extract<AnswerEvent, { kind: 'reasoning' }>): JsonObject =>
  defined({
    thinking: text,
    signature: bound !== undefined && bound.kind !== 'encrypted' ? tagBound(bound) : undefined,
    data: bound?.kind === 'encrypted' ? tagBound(bound) : undefined,
  });

export const signatureOf = (text: string | undefined, scope: string): BoundValue | undefined =>
  text === undefined || text === '' ? undefined : readBound(text, 'signature', scope);

export const toReasoning = (text: string, bound?: BoundValue): ReasoningPart =>
  defined({ kind: 'reasoning' as const, text, bound });

/** Some providers give a block's thinking as a string, others as a list of strings. */
export const thinkingText = ({ thinking }: JsonObject): string =>
  textOf(thinking) ??
  objectsOf(thinking)
    .map(({ text }) => textOf(text) ?? '')
    .join('');
