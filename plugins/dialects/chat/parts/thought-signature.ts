import { readBound } from '../../../../schema/conversation/bound.ts';
import type { BoundValue, Part, ReasoningPart } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findObject, findText } from '../../../../schema/json/loose.ts';
import { mergeJson } from '../../shared/json/merge-json.ts';
import { findDetails } from './reasoning-details.ts';

/** Begins the value of a signature from Vertex AI, whose endpoint has a name of its own for the member. */
const vertexMark = 'vertex:';

/**
 * Returns the signature at a tool call or at a message without calls, where Google's compatible endpoints put it:
 * https://ai.google.dev/gemini-api/docs/thought-signatures. `scope` applies to a signature that names none.
 */
export const signatureAt = ({ extra_content: extra }: JsonObject, scope: string): BoundValue | undefined => {
  const { google, vertex } = findObject(extra) ?? {};
  const value = findText(findObject(google)?.thought_signature) ?? '';
  if (value !== '') return readBound(value, 'thought', scope);
  const other = findText(findObject(vertex)?.thought_signature) ?? '';
  return other === '' ? undefined : { scope, kind: 'thought', value: vertexMark + other };
};

/** Returns the call or the message with a signature, if there is one. */
export const withSignature = (wire: JsonObject, signature: string | undefined): JsonObject => {
  if (signature === undefined) return wire;
  const extra = signature.startsWith(vertexMark)
    ? { vertex: { thought_signature: signature.slice(vertexMark.length) } }
    : { google: { thought_signature: signature } };
  return mergeJson(wire, { extra_content: extra });
};

/** Returns a signature as a conversation has it: a part before the call, or at the end of a message. */
export const toThought = (bound: BoundValue | undefined): readonly ReasoningPart[] =>
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

/** Returns the signature of an answer to a strict client: the last one that belongs to no call. */
export const closingSignature = (parts: readonly Part[]): BoundValue | undefined => {
  const closing = parts.findLast(
    (part, at) => part.kind === 'reasoning' && part.bound?.kind === 'thought' && parts[at + 1]?.kind !== 'tool-call',
  );
  return closing?.kind === 'reasoning' ? closing.bound : undefined;
};
