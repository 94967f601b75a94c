import type { Answer, AnswerChoice } from '../../../../schema/conversation/answer.ts';
import type { Part } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findItems, findNumber, findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import type { DecodeAnswer } from '../../../sdk/dialect/dialect.ts';
import { findCreated } from '../../shared/answer/find-created.ts';
import { notAnAnswer } from '../../shared/answer/not-an-answer.ts';
import { defined } from '../../shared/json/defined.ts';
import { omit } from '../../shared/json/omit.ts';
import { otherAnnotations } from '../parts/annotations.ts';
import { throwIfBrokenOff } from '../parts/broken-off.ts';
import { type DecodeMessage, decodeMessage } from '../parts/decode-message.ts';
import { decodeCallFinish } from './finish-reasons.ts';
import { decodeLogprobs, otherLogprobs } from './logprobs.ts';
import { decodeUsage } from './usage.ts';

/** `provider` is added to answers by the gateway, and by some providers. */
const known: ReadonlySet<string> = new Set(['id', 'object', 'created', 'model', 'choices', 'usage', 'provider']);
const knownOfChoice: ReadonlySet<string> = new Set(['index', 'message', 'finish_reason', 'logprobs']);
const knownOfMessage: ReadonlySet<string> = new Set([
  'role',
  'content',
  'content_blocks',
  'reasoning_content',
  'reasoning',
  'reasoning_details',
  'refusal',
  'tool_calls',
  'function_call',
  'annotations',
  'audio',
  'images',
  'extra_content',
]);

const withoutNulls = (members: object): JsonObject | undefined => {
  const kept = Object.entries(members).filter(([, value]) => value !== null && value !== undefined);
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
};

/** Decodes the members that the parts do not express. If there is no text, no part expresses the members that describe texts. */
const decodeExtensions = (
  choice: JsonObject,
  message: JsonObject,
  parts: readonly Part[],
): AnswerChoice['extensions'] => {
  const hasText = parts.some(({ kind }) => kind === 'text');
  const annotations = hasText ? otherAnnotations(message.annotations) : toObjects(message.annotations);
  const members = withoutNulls({
    ...omit(choice, knownOfChoice),
    logprobs: hasText ? otherLogprobs(choice.logprobs) : choice.logprobs,
    message: withoutNulls({
      ...omit(message, knownOfMessage),
      annotations: annotations.length > 0 ? annotations : undefined,
    }),
  });
  return members === undefined ? undefined : { chat: members };
};

const decodeChoice = (choice: JsonObject, position: number, options: DecodeMessage): AnswerChoice => {
  const message = findObject(choice.message) ?? {};
  const parts = decodeMessage(message, decodeLogprobs(choice.logprobs), options);
  return defined({
    index: findNumber(choice.index) ?? position,
    parts,
    finish: decodeCallFinish(
      findText(choice.finish_reason),
      parts.some(({ kind }) => kind === 'tool-call'),
    ),
    extensions: decodeExtensions(choice, message, parts),
  });
};

/**
 * https://platform.openai.com/docs/api-reference/chat/object. Throws an `Error` that describes what is wrong, or the
 * `GatewayError` `broken-answer`.
 */
export const decodeAnswer = (wire: JsonObject, { scope }: DecodeAnswer): Answer => {
  if (findItems(wire.choices) === undefined) throw new Error(notAnAnswer(wire, 'choices'));
  throwIfBrokenOff(wire);
  const tier = findText(wire.service_tier);
  const usage = decodeUsage(findObject(wire.usage), tier);
  const isInUsage = usage !== undefined && tier !== undefined;
  const more = omit(wire, isInUsage ? new Set([...known, 'service_tier']) : known);
  const id = findText(wire.id) ?? '';
  return defined({
    id,
    model: findText(wire.model) ?? '',
    created: findCreated(wire.created),
    choices: toObjects(wire.choices).map((choice, position) => decodeChoice(choice, position, { scope, answer: id })),
    usage,
    extensions: more === undefined ? {} : { chat: more },
  });
};
