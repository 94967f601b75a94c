import type { Answer, AnswerChoice, Part } from '../../../schema/conversation.ts';
import type { JsonObject } from '../../../schema/json.ts';
import type { DecodeAnswer } from '../../sdk/dialect.ts';
import { defined } from '../wire/defined.ts';
import { itemsOf, numberOf, objectOf, objectsOf, textOf } from '../wire/loose.ts';
import { notAnAnswer } from '../wire/not-an-answer.ts';
import { omit } from '../wire/omit.ts';
import { present } from '../wire/present.ts';
import { decodeBlock, toReasoning } from './content-blocks.ts';
import { decodeFinish } from './finish-reasons.ts';
import { decodeUsage } from './usage.ts';

/** `provider` is added to answers by the gateway, and by some providers. */
const known: ReadonlySet<string> = new Set(['id', 'object', 'created', 'model', 'choices', 'usage', 'provider']);
const knownOfChoice: ReadonlySet<string> = new Set(['index', 'message', 'finish_reason']);
const knownOfMessage: ReadonlySet<string> = new Set([
  'role',
  'content',
  'content_blocks',
  'reasoning_content',
  'reasoning',
  'refusal',
  'tool_calls',
  'function_call',
]);

const textPart = (text: string | undefined): readonly Part[] =>
  text === undefined || text === '' ? [] : [{ kind: 'text', text }];

/** Blocks include everything in the content; if a provider has none, its reasoning comes before the content. */
const decodeContent = (message: JsonObject, scope: string): readonly Part[] => {
  const decode = (block: JsonObject): Part | undefined => decodeBlock(block, scope);
  const blocks = objectsOf(message.content_blocks);
  if (blocks.length > 0) return present(blocks.map(decode));
  const reasoning = textOf(message.reasoning_content) ?? textOf(message.reasoning) ?? '';
  return [
    ...(reasoning === '' ? [] : [toReasoning(reasoning)]),
    ...(itemsOf(message.content) === undefined
      ? textPart(textOf(message.content))
      : present(objectsOf(message.content).map(decode))),
  ];
};

const decodeCall = (call: JsonObject, index: number): Part => {
  const definition = objectOf(call.function);
  if (definition === undefined) return { kind: 'other', dialect: 'chat', value: call };
  return {
    kind: 'tool-call',
    id: textOf(call.id) ?? `gw-call-${index}`,
    name: textOf(definition.name) ?? '',
    arguments: textOf(definition.arguments) ?? '',
  };
};

const decodeParts = (message: JsonObject, scope: string): readonly Part[] => {
  const refusal = textOf(message.refusal) ?? '';
  const legacy = objectOf(message.function_call);
  const calls = legacy === undefined ? objectsOf(message.tool_calls) : [{ function: legacy }];
  return [
    ...decodeContent(message, scope),
    ...(refusal === '' ? [] : [{ kind: 'refusal' as const, text: refusal }]),
    ...calls.map(decodeCall),
  ];
};

const withoutNulls = (members: JsonObject | undefined): JsonObject | undefined => {
  const kept = Object.entries(members ?? {}).filter(([, value]) => value !== null);
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
};

const decodeChoice = (choice: JsonObject, position: number, scope: string): AnswerChoice => {
  const message = objectOf(choice.message) ?? {};
  const more = withoutNulls(omit(choice, knownOfChoice));
  const moreOfMessage = withoutNulls(omit(message, knownOfMessage));
  const extensions = { ...more, ...(moreOfMessage === undefined ? {} : { message: moreOfMessage }) };
  return defined({
    index: numberOf(choice.index) ?? position,
    parts: decodeParts(message, scope),
    finish: decodeFinish(textOf(choice.finish_reason)),
    extensions: Object.keys(extensions).length > 0 ? { chat: extensions } : undefined,
  });
};

/** https://platform.openai.com/docs/api-reference/chat/object. Throws an `Error` that says what is wrong. */
export const decodeAnswer = (wire: JsonObject, { scope }: DecodeAnswer): Answer => {
  if (itemsOf(wire.choices) === undefined) throw new Error(notAnAnswer(wire, 'choices'));
  const usage = objectOf(wire.usage);
  const more = omit(wire, known);
  return defined({
    id: textOf(wire.id) ?? '',
    model: textOf(wire.model) ?? '',
    created: numberOf(wire.created),
    choices: objectsOf(wire.choices).map((choice, position) => decodeChoice(choice, position, scope)),
    usage: usage === undefined ? undefined : decodeUsage(usage),
    extensions: more === undefined ? {} : { chat: more },
  });
};
