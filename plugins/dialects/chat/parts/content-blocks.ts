import { boundMark, readBound, tagBound } from '../../../../schema/conversation/bound.ts';
import type { BoundValue, Part, ReasoningPart } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findText, toObjects } from '../../../../schema/json/loose.ts';
import { defined } from '../../shared/json/defined.ts';
import { shownReasoning } from '../../shared/parts/shown-reasoning.ts';
import { findDetails } from './reasoning-details.ts';

/** An answer's `content_blocks`, which other services reject in a message, and the signature of a call. */
export const gatewayMarks: readonly string[] = ['"content_blocks"', `"${boundMark}`];

/** Returns the member of a block for a bound value: `data` if the value contains the reasoning, otherwise `signature`. */
export const encodeBound = (bound: BoundValue | undefined): JsonObject => {
  if (bound === undefined) return {};
  return bound.kind === 'encrypted' ? { data: tagBound(bound) } : { signature: tagBound(bound) };
};

/** Returns `content_blocks`: the parts of a non-strict answer in order, including those that OpenAI's format cannot express. */
export const encodeBlocks = (parts: readonly Part[]): readonly JsonObject[] =>
  parts.flatMap((part): readonly JsonObject[] => {
    if (part.kind === 'text') return [{ type: 'text', text: part.text }];
    if (part.kind !== 'reasoning') return [];
    const thinking = shownReasoning(part);
    const isElsewhere = part.bound !== undefined && findDetails(part.bound) !== undefined;
    if (isElsewhere && thinking === '') return [];
    const bound = isElsewhere ? {} : encodeBound(part.bound);
    return thinking === '' && 'data' in bound
      ? [{ type: 'redacted_thinking', ...bound }]
      : [{ type: 'thinking', thinking, ...bound }];
  });

/** Decodes a block. `scope` applies to bound values that name none. */
export const decodeBlock = (block: JsonObject, scope: string): Part | undefined => {
  switch (block.type) {
    case 'text': {
      const text = findText(block.text) ?? '';
      return text === '' ? undefined : { kind: 'text', text };
    }
    case 'thinking':
    case 'redacted_thinking':
      return toReasoning(thinkingText(block), decodeBound(block, scope));
    default:
      return { kind: 'other', dialect: 'chat', value: block };
  }
};

/** Returns the bound value of a block, or of a piece of one. */
export const decodeBound = ({ data, signature }: JsonObject, scope: string): BoundValue | undefined => {
  const encrypted = findText(data);
  if (encrypted !== undefined) return readBound(encrypted, 'encrypted', scope);
  const signed = findText(signature) ?? '';
  return signed === '' ? undefined : readBound(signed, 'signature', scope);
};

export const toReasoning = (text: string, bound?: BoundValue): ReasoningPart =>
  defined({ kind: 'reasoning' as const, text, bound });

/** Returns a block's thinking, which some providers send as a string, others as a list of strings. */
export const thinkingText = ({ thinking }: JsonObject): string =>
  findText(thinking) ??
  toObjects(thinking)
    .map(({ text }) => findText(text) ?? '')
    .join('');
