import type { Part, ReasoningPart } from '../../../schema/conversation.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { defined } from '../wire/defined.ts';
import { objectsOf, textOf } from '../wire/loose.ts';

/** `content_blocks`: a non-strict answer's parts in order, including those that OpenAI's format cannot express. */
export const encodeBlocks = (parts: readonly Part[]): readonly JsonObject[] =>
  parts.flatMap((part): readonly JsonObject[] => {
    if (part.kind === 'text') return [{ type: 'text', text: part.text }];
    if (part.kind !== 'reasoning') return [];
    if (part.redacted !== undefined) return [{ type: 'redacted_thinking', data: part.redacted }];
    return [defined({ type: 'thinking', thinking: part.text, signature: part.signature })];
  });

export const decodeBlock = (block: JsonObject): Part | undefined => {
  switch (block.type) {
    case 'text': {
      const text = textOf(block.text) ?? '';
      return text === '' ? undefined : { kind: 'text', text };
    }
    case 'thinking':
      return toReasoning(thinkingText(block), textOf(block.signature));
    case 'redacted_thinking':
      return { kind: 'reasoning', text: '', redacted: textOf(block.data) ?? '' };
    default:
      return { kind: 'other', dialect: 'chat', value: block };
  }
};

export const toReasoning = (text: string, signature?: string): ReasoningPart =>
  defined({ kind: 'reasoning' as const, text, signature: signature === '' ? undefined : signature });

/** Some providers give a block's thinking as a string, others as a list of strings. */
export const thinkingText = ({ thinking }: JsonObject): string =>
  textOf(thinking) ??
  objectsOf(thinking)
    .map(({ text }) => textOf(text) ?? '')
    .join('');
