import { readBound } from '../../../../schema/conversation/bound.ts';
import type { BoundValue, Part, ReasoningPart } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findObject, findText } from '../../../../schema/json/loose.ts';
import { mergeJson } from '../../shared/json/merge-json.ts';
import { findDetails } from './reasoning-details.ts';

/**
 * Returns the signature at a tool call, where Google's compatible endpoint puts it:
 * https://ai.google.dev/gemini-api/docs/thought-signatures. `scope` applies to a signature that names none.
 */
export const signatureAt = (call: JsonObject, scope: string): BoundValue | undefined => {
  const value = findText(findObject(findObject(call.extra_content)?.google)?.thought_signature);
  return value === undefined || value === '' ? undefined : readBound(value, 'thought', scope);
};

/** Returns the call with a signature, if there is one. */
export const withSignature = (call: JsonObject, signature: string | undefined): JsonObject =>
  signature === undefined ? call : mergeJson(call, { extra_content: { google: { thought_signature: signature } } });

/** Returns the signature of a call as a conversation has it: a part before the call. */
export const thoughtBefore = (bound: BoundValue | undefined): readonly ReasoningPart[] =>
  bound === undefined ? [] : [{ kind: 'reasoning', text: '', bound }];

/** Whether the reasoning has no text and no summary. */
const isSilent = ({ text, summary }: ReasoningPart): boolean => text === '' && summary === undefined;

/**
 * Returns the bound value of the reasoning directly before a call, if it goes at the call. Strict clients have no other place for
 * it. For other clients it goes there if the thought has no words, because it then belongs to this call only. Details have their own
 * member.
 */
export const boundAtCall = (before: Part | undefined, strict: boolean): BoundValue | undefined => {
  if (before?.kind !== 'reasoning') return undefined;
  const { bound } = before;
  if (bound === undefined || findDetails(bound) !== undefined) return undefined;
  const isHere = strict ? bound.kind !== 'signature' : bound.kind === 'thought' && isSilent(before);
  return isHere ? bound : undefined;
};
