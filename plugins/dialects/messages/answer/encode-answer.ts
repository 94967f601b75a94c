import type { Answer } from '../../../../schema/conversation/answer.ts';
import { tagBound } from '../../../../schema/conversation/bound.ts';
import type { Citation, Part, ReasoningPart } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { EncodeAnswer } from '../../../sdk/dialect/dialect.ts';
import { defined } from '../../shared/json/defined.ts';
import { present } from '../../shared/json/present.ts';
import { ownValue } from '../../shared/parts/own-value.ts';
import { shownReasoning } from '../../shared/parts/shown-reasoning.ts';
import { toInput } from '../../shared/request/call-input.ts';
import { callBlock } from '../parts/calls.ts';
import { encodeCitation } from '../parts/citations.ts';
import { withoutClosing } from '../parts/closing-thought.ts';
import { encodeFinish } from './finish-reasons.ts';
import { encodeUsage } from './usage.ts';

const encodeText = (text: string, citations: readonly Citation[] = []): readonly JsonObject[] => {
  if (text === '') return [];
  const cited = present(citations.map(encodeCitation));
  return [defined({ type: 'text', text, citations: cited.length > 0 ? cited : undefined })];
};

/** Encodes reasoning. If another provider did not sign it, its signature is empty, because clients expect the member. */
const encodeReasoning = (part: ReasoningPart): JsonObject => {
  const { bound } = part;
  const thinking = shownReasoning(part);
  return bound?.kind === 'encrypted' && thinking === ''
    ? { type: 'redacted_thinking', data: tagBound(bound) }
    : { type: 'thinking', thinking, signature: bound === undefined ? '' : tagBound(bound) };
};

const encodeBlock = (part: Part): readonly JsonObject[] => {
  switch (part.kind) {
    case 'text':
      return encodeText(part.text, part.citations);
    case 'refusal':
      return encodeText(part.text);
    case 'reasoning':
      return [encodeReasoning(part)];
    case 'tool-call':
      return [callBlock(part, toInput(part))];
    case 'server-tool-call':
    case 'server-tool-result':
    case 'other':
      return present([ownValue(part, 'messages')]);
    default:
      return [];
  }
};

/** Encodes all blocks. A value that closes the answer becomes a member of its last text. */
const encodeContent = (all: readonly Part[]): readonly JsonObject[] => {
  const { parts, closing } = withoutClosing(all);
  const blocks = parts.flatMap(encodeBlock);
  if (closing === undefined) return blocks;
  return blocks.map((block, at) => (at === blocks.length - 1 ? { ...block, signature: tagBound(closing) } : block));
};

const isRefusal = (part: Part): boolean => part.kind === 'refusal';

/** https://docs.anthropic.com/en/api/messages. The format has only one answer, so the first choice is written. */
export const encodeAnswer = (answer: Answer, options: EncodeAnswer): JsonObject => {
  const [choice] = answer.choices;
  const parts = choice?.parts ?? [];
  return {
    id: answer.id === '' ? (options.id ?? 'gw-message') : answer.id,
    type: 'message',
    role: 'assistant',
    model: answer.model,
    content: encodeContent(parts),
    ...encodeFinish(choice?.finish ?? { reason: 'stop' }, parts.some(isRefusal)),
    ...(answer.usage === undefined ? {} : { usage: encodeUsage(answer.usage) }),
    ...choice?.extensions?.messages,
    ...answer.extensions.messages,
  };
};
