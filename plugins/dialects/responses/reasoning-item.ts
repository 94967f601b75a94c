import type { ReasoningPart } from '../../../schema/conversation.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { defined } from '../wire/defined.ts';
import { objectsOf, textOf } from '../wire/loose.ts';
import { readEncrypted } from './encrypted-content.ts';

const textsOf = (list: JsonObject['summary'] | undefined): readonly string[] =>
  objectsOf(list).map(({ text }) => textOf(text) ?? '');

/** Undefined for an item that says nothing: without a summary and encrypted content, it only refers to a stored one. */
export const decodeReasoning = (item: JsonObject, scope: string): ReasoningPart | undefined => {
  const summary = textsOf(item.summary);
  const text = textsOf(item.content).join('');
  const encrypted = textOf(item.encrypted_content) ?? '';
  if (text === '' && summary.length === 0 && encrypted === '') return undefined;
  return defined({
    kind: 'reasoning' as const,
    text,
    summary: summary.length > 0 ? summary : undefined,
    bound: encrypted === '' ? undefined : readEncrypted(encrypted, scope),
  });
};

export const summaryText = (text: string): JsonObject => ({ type: 'summary_text', text });

export const reasoningText = (text: string): JsonObject => ({ type: 'reasoning_text', text });

/** https://platform.openai.com/docs/api-reference/responses/object: the summary is required, even if it is empty. */
export const encodeReasoning = (
  { text, summary = [] }: Pick<ReasoningPart, 'text' | 'summary'>,
  { id, encrypted }: { readonly id?: string; readonly encrypted?: string | undefined },
): JsonObject =>
  defined({
    type: 'reasoning',
    id,
    summary: summary.map(summaryText),
    content: text === '' ? undefined : [reasoningText(text)],
    encrypted_content: encrypted,
  });
