import { readBound, tagBound } from '../../../../schema/conversation/bound.ts';
import type { BoundValue, ReasoningPart } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findText } from '../../../../schema/json/loose.ts';
import { defined } from '../../shared/json/defined.ts';

const findBound = ({ signature, data }: JsonObject, scope: string): BoundValue | undefined => {
  const encrypted = findText(data) ?? '';
  if (encrypted !== '') return readBound(encrypted, 'encrypted', scope);
  const text = findText(signature) ?? '';
  return text === '' ? undefined : readBound(text, 'signature', scope);
};

/**
 * Decodes a block of thinking, or a piece of one. Returns undefined if it is empty. Cohere binds no values to its thinking: a
 * `signature` or `data` comes from another provider, and this gateway added it to an answer.
 */
export const decodeThinking = (block: JsonObject, scope: string): ReasoningPart | undefined => {
  const text = findText(block.thinking) ?? '';
  const bound = findBound(block, scope);
  return text === '' && bound === undefined ? undefined : defined({ kind: 'reasoning' as const, text, bound });
};

/** Returns the member for a bound value. The format has none, but other providers refuse to continue without the value. */
export const encodeBound = (bound: BoundValue | undefined): JsonObject =>
  bound === undefined ? {} : { [bound.kind === 'encrypted' ? 'data' : 'signature']: tagBound(bound) };
