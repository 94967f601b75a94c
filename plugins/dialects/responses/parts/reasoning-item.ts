import type { ReasoningPart } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findText, toObjects } from '../../../../schema/json/loose.ts';
import { defined } from '../../shared/json/defined.ts';
import { shownReasoning } from '../../shared/parts/shown-reasoning.ts';
import { readEncrypted } from './encrypted-content.ts';

const readTexts = (list: JsonObject['summary'] | undefined): readonly string[] =>
  toObjects(list).map(({ text }) => findText(text) ?? '');

/** Returns undefined for an item without content: without a summary and encrypted content, it only refers to a stored item. */
export const decodeReasoning = (item: JsonObject, scope: string): ReasoningPart | undefined => {
  const summary = readTexts(item.summary);
  const text = readTexts(item.content).join('');
  const encrypted = findText(item.encrypted_content) ?? '';
  if (text === '' && summary.length === 0 && encrypted === '') return undefined;
  return defined({
    kind: 'reasoning' as const,
    text,
    summary: summary.length > 0 ? summary : undefined,
    bound: encrypted === '' ? undefined : readEncrypted(encrypted, scope),
  });
};

/**
 * Decodes the reasoning in a client's next turn. The client got the text of other providers as a summary (`asSummary`), and a
 * signature proves that text. Only encrypted reasoning has a summary in addition to the value.
 */
export const decodeReturnedReasoning = (item: JsonObject, scope: string): ReasoningPart | undefined => {
  const part = decodeReasoning(item, scope);
  if (part?.summary === undefined || part.text !== '' || part.bound?.kind === 'encrypted') return part;
  return defined({ kind: part.kind, text: shownReasoning(part), bound: part.bound });
};

/** Returns reasoning for a client, with its text in the summary, because clients show only summaries. */
export const asSummary = ({ text, summary = [] }: ReasoningPart): Pick<ReasoningPart, 'text' | 'summary'> => ({
  text: '',
  summary: text === '' ? summary : [text, ...summary],
});

export const summaryText = (text: string): JsonObject => ({ type: 'summary_text', text });

const reasoningText = (text: string): JsonObject => ({ type: 'reasoning_text', text });

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
