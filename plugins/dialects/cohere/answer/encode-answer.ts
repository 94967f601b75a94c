import type { Answer } from '../../../../schema/conversation/answer.ts';
import type { Part } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { EncodeAnswer } from '../../../sdk/dialect/dialect.ts';
import { append } from '../../shared/json/append.ts';
import { defined } from '../../shared/json/defined.ts';
import { undefinedIfEmpty } from '../../shared/json/present.ts';
import { ownValue } from '../../shared/parts/own-value.ts';
import { shownReasoning } from '../../shared/parts/shown-reasoning.ts';
import { callArguments } from '../../shared/request/call-arguments.ts';
import { encodeCall } from '../parts/calls.ts';
import { encodeCitations } from '../parts/citations.ts';
import { encodeBound } from '../parts/thinking.ts';
import { encodeFinish } from './finish-reasons.ts';
import { encodeLogprob } from './logprobs.ts';
import { encodeUsage } from './usage.ts';

const encodeBlock = (part: Part): JsonObject | undefined => {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return part.text === '' ? undefined : { type: 'text', text: part.text };
    case 'reasoning': {
      const block = { type: 'thinking', thinking: shownReasoning(part), ...encodeBound(part.bound) };
      return block.thinking === '' && Object.keys(block).length === 2 ? undefined : block;
    }
    case 'other':
      return ownValue(part, 'cohere');
    default:
      return undefined;
  }
};

const encodeMessage = (parts: readonly Part[]): JsonObject => {
  const content: JsonObject[] = [];
  const citations: JsonObject[] = [];
  const calls: JsonObject[] = [];
  for (const part of parts) {
    const block = encodeBlock(part);
    if (part.kind === 'tool-call') calls.push(encodeCall(part, callArguments(part)));
    if (block === undefined) continue;
    if (part.kind === 'text') append(citations, encodeCitations(part, content.length));
    content.push(block);
  }
  return defined({
    role: 'assistant',
    content: undefinedIfEmpty(content),
    tool_calls: undefinedIfEmpty(calls),
    citations: undefinedIfEmpty(citations),
  });
};

/** https://docs.cohere.com/reference/chat. The format has only one answer, so the first choice is written. */
export const encodeAnswer = (answer: Answer, { id }: EncodeAnswer): JsonObject => {
  const [choice] = answer.choices;
  const parts = choice?.parts ?? [];
  const logprobs = parts.flatMap((part) => (part.kind === 'text' ? (part.logprobs ?? []) : []));
  return defined({
    id: answer.id === '' ? (id ?? 'gw-cohere') : answer.id,
    message: encodeMessage(parts),
    finish_reason: encodeFinish(choice?.finish ?? { reason: 'stop' }),
    usage: answer.usage === undefined ? undefined : encodeUsage(answer.usage),
    logprobs: undefinedIfEmpty(logprobs.map(encodeLogprob)),
    ...answer.extensions.cohere,
  });
};
