import type { Answer, AnswerChoice, Part } from '../../../schema/conversation.ts';
import { isJsonObject, type JsonObject } from '../../../schema/json.ts';
import type { EncodeAnswer } from '../../sdk/dialect.ts';
import { defined } from '../wire/defined.ts';
import { encodeBlocks } from './content-blocks.ts';
import { encodeFinish } from './finish-reasons.ts';
import { encodeUsage } from './usage.ts';

const textOfKind = (parts: readonly Part[], kind: 'text' | 'refusal'): string | null => {
  const texts = parts.flatMap((part) => (part.kind === kind ? [part.text] : []));
  return texts.length > 0 ? texts.join('') : null;
};

const encodeCalls = (parts: readonly Part[]): readonly JsonObject[] | undefined => {
  const calls = parts.flatMap((part): readonly JsonObject[] => {
    if (part.kind === 'tool-call')
      return [{ id: part.id, type: 'function', function: { name: part.name, arguments: part.arguments } }];
    const isCall = part.kind === 'other' && part.dialect === 'chat' && isJsonObject(part.value);
    return isCall && isJsonObject(part.value) && part.value.type === 'custom' ? [part.value] : [];
  });
  return calls.length > 0 ? calls : undefined;
};

const encodeChoice = ({ index, parts, finish, extensions }: AnswerChoice, strict: boolean): JsonObject => {
  const { message, ...more } = extensions?.chat ?? {};
  const blocks = strict ? [] : encodeBlocks(parts);
  return {
    index,
    message: defined({
      role: 'assistant',
      content: textOfKind(parts, 'text'),
      refusal: textOfKind(parts, 'refusal'),
      tool_calls: encodeCalls(parts),
      content_blocks: blocks.length > 0 ? blocks : undefined,
      ...(isJsonObject(message) ? message : {}),
    }),
    logprobs: null,
    finish_reason: encodeFinish(finish, strict),
    ...more,
  };
};

/** https://platform.openai.com/docs/api-reference/chat/object, with `provider` beside it. */
export const encodeAnswer = (answer: Answer, { provider, strict, id, created }: EncodeAnswer): JsonObject =>
  defined({
    id: answer.id === '' ? (id ?? 'gw-chat') : answer.id,
    object: 'chat.completion',
    created: answer.created ?? created ?? 0,
    model: answer.model,
    provider,
    choices: answer.choices.map((choice) => encodeChoice(choice, strict)),
    usage: answer.usage === undefined ? undefined : encodeUsage(answer.usage),
    ...answer.extensions.chat,
  });
