import { boundMark, readBound, tagBound } from '../../../../schema/conversation/bound.ts';
import type { BoundValue, ReasoningPart } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findObject, findText } from '../../../../schema/json/loose.ts';
import { defined } from '../../shared/json/defined.ts';
import { shownReasoning } from '../../shared/parts/shown-reasoning.ts';

/** Reads `redactedContent`, which is Base64 that the vendor's clients decode, so a tagged value in it is encoded twice. */
const readRedacted = (text: string, scope: string): BoundValue => {
  const tagged = readBound(Buffer.from(text, 'base64').toString('utf8'), 'encrypted', '');
  return tagged.scope === '' ? { scope, kind: 'encrypted', value: text } : tagged;
};

const tagRedacted = (bound: BoundValue): string => Buffer.from(tagBound(bound), 'utf8').toString('base64');

/** The base64 beginnings of tagged values, without the last character, which depends on the bytes that follow. */
export const gatewayMarks: readonly string[] = [
  `"${boundMark}`,
  `"${Buffer.from(boundMark, 'utf8').toString('base64').slice(0, 5)}`,
];

/**
 * Returns the bound value in a member of reasoning, whole or from a piece of a stream. `scope` applies to a value that names
 * none.
 */
export const findBound = (reasoning: JsonObject, scope: string): BoundValue | undefined => {
  const signature = findText(reasoning.signature) ?? '';
  const redacted = findText(reasoning.redactedContent) ?? '';
  if (redacted !== '') return readRedacted(redacted, scope);
  return signature === '' ? undefined : readBound(signature, 'signature', scope);
};

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ReasoningContentBlock.html */
export const decodeReasoning = (content: JsonObject, scope: string): ReasoningPart => {
  const text = findObject(content.reasoningText) ?? {};
  const bound = findBound({ ...content, ...text }, scope);
  return defined({ kind: 'reasoning' as const, text: findText(text.text) ?? '', bound });
};

/** Whether there is only a value, without a text that it belongs to. */
const isRedacted = (bound: BoundValue | undefined, text: string): bound is BoundValue =>
  bound?.kind === 'encrypted' && text === '';

/** Encodes reasoning for a client. Bound values include who made them. */
export const encodeClientReasoning = (part: ReasoningPart): JsonObject => {
  const text = shownReasoning(part);
  if (isRedacted(part.bound, text)) return { redactedContent: tagRedacted(part.bound) };
  return { reasoningText: defined({ text, signature: part.bound === undefined ? undefined : tagBound(part.bound) }) };
};

/** Encodes a bound value as a piece of a stream. */
export const boundDelta = (bound: BoundValue, isAlone: boolean): JsonObject =>
  isAlone && bound.kind === 'encrypted' ? { redactedContent: tagRedacted(bound) } : { signature: tagBound(bound) };
