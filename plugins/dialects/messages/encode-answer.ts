import { tagBound } from '../../../schema/bound.ts';
import type { Answer, Part } from '../../../schema/conversation.ts';
import { isJsonObject, type JsonObject } from '../../../schema/json.ts';
import type { EncodeAnswer } from '../../sdk/dialect.ts';
import { toInput } from '../wire/to-input.ts';
import { encodeFinish } from './finish-reasons.ts';
import { encodeUsage } from './usage.ts';

/** Thinking that another provider did not sign has an empty signature, since clients expect the member. */
const encodeBlock = (part: Part): readonly JsonObject[] => {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return part.text === '' ? [] : [{ type: 'text', text: part.text }];
    case 'reasoning':
      return part.bound?.kind === 'encrypted' && part.text === ''
        ? [{ type: 'redacted_thinking', data: tagBound(part.bound) }]
        : [{ type: 'thinking', thinking: part.text, signature: part.bound === undefined ? '' : tagBound(part.bound) }];
    case 'tool-call':
      return [{ type: 'tool_use', id: part.id, name: part.name, input: toInput(part.arguments) }];
    case 'other':
      return part.dialect === 'messages' && isJsonObject(part.value) ? [part.value] : [];
    default:
      return [];
  }
};

const isRefusal = (part: Part): boolean => part.kind === 'refusal';

/** https://docs.anthropic.com/en/api/messages. The format has one answer: the first choice. */
export const encodeAnswer = (answer: Answer, options: EncodeAnswer): JsonObject => {
  const [choice] = answer.choices;
  const parts = choice?.parts ?? [];
  return {
    id: answer.id === '' ? (options.id ?? 'gw-message') : answer.id,
    type: 'message',
    role: 'assistant',
    model: answer.model,
    content: parts.flatMap(encodeBlock),
    ...encodeFinish(choice?.finish ?? { reason: 'stop' }, parts.some(isRefusal)),
    usage: encodeUsage(answer.usage),
    ...choice?.extensions?.messages,
    ...answer.extensions.messages,
  };
};
