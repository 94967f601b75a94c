import type { Answer } from '../../../../schema/conversation/answer.ts';
import type { Citation, Part } from '../../../../schema/conversation/conversation.ts';
import { gatewayError } from '../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findNumber, findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import type { DecodeAnswer } from '../../../sdk/dialect/dialect.ts';
import { defined } from '../../shared/json/defined.ts';
import { omit } from '../../shared/json/omit.ts';
import { ownMembers } from '../../shared/parts/own-value.ts';
import { decodeArguments } from '../../shared/request/call-arguments.ts';
import { type CallPlace, readCallId } from '../../shared/request/call-ids.ts';
import { callMembers } from '../parts/calls.ts';
import { decodeCitation, isOfText } from '../parts/citations.ts';
import { decodeThinking } from '../parts/thinking.ts';
import { decodeFinish, isFailure } from './finish-reasons.ts';
import { decodeLogprob } from './logprobs.ts';
import { decodeUsage } from './usage.ts';

const known: ReadonlySet<string> = new Set(['id', 'finish_reason', 'message', 'usage', 'logprobs']);

const decodeBlock = (block: JsonObject, citations: readonly Citation[], scope: string): Part | undefined => {
  switch (block.type) {
    case 'text': {
      const text = findText(block.text) ?? '';
      if (text === '') return undefined;
      return citations.length > 0 ? { kind: 'text', text, citations } : { kind: 'text', text };
    }
    case 'thinking':
      return decodeThinking(block, scope);
    default:
      return { kind: 'other', dialect: 'cohere', value: block };
  }
};

const decodeContent = (message: JsonObject, scope: string): readonly Part[] => {
  const blocks = toObjects(message.content);
  const firstText = blocks.findIndex(({ type }) => type === 'text');
  const cited = Map.groupBy(
    toObjects(message.citations).filter(isOfText),
    (citation) => findNumber(citation.content_index) ?? firstText,
  );
  return blocks.flatMap((block, index) => {
    const own = cited.get(index) ?? [];
    return decodeBlock(block, own.flatMap(decodeCitation), scope) ?? [];
  });
};

const decodeCall = (call: JsonObject, place: CallPlace): Part => {
  const definition = findObject(call.function) ?? {};
  return defined({
    kind: 'tool-call' as const,
    id: readCallId(call.id, place),
    name: findText(definition.name) ?? '',
    ...decodeArguments(definition.arguments),
    extensions: ownMembers(call, 'cohere', callMembers),
  });
};

const decodeParts = (message: JsonObject, answer: string, scope: string): readonly Part[] => {
  const plan = findText(message.tool_plan) ?? '';
  return [
    ...decodeContent(message, scope),
    ...(plan === '' ? [] : [{ kind: 'reasoning' as const, text: plan }]),
    ...toObjects(message.tool_calls).map((call, number) => decodeCall(call, { answer, number })),
  ];
};

/** Adds the log probabilities, which are listed for the whole answer, to its first text. */
const withLogprobs = (parts: readonly Part[], wire: JsonObject): readonly Part[] => {
  const logprobs = toObjects(wire.logprobs).flatMap(decodeLogprob);
  const first = parts.find(({ kind }) => kind === 'text');
  return logprobs.length === 0
    ? parts
    : parts.map((part) => (part === first && part.kind === 'text' ? { ...part, logprobs } : part));
};

/**
 * https://docs.cohere.com/reference/chat. Throws an `Error` that describes what is wrong, or the `GatewayError` `broken-answer`
 * for an answer that the provider did not complete, because other formats have no finish reason for that.
 */
export const decodeAnswer = (wire: JsonObject, { scope, model }: DecodeAnswer): Answer => {
  const message = findObject(wire.message);
  const raw = findText(wire.finish_reason);
  if (message === undefined)
    throw new Error(typeof wire.message === 'string' ? `it is an error: ${wire.message}` : 'it has no message');
  if (isFailure(raw)) throw gatewayError('broken-answer', { reason: `it ended with ${raw}.` });
  const usage = findObject(wire.usage);
  const more = omit(wire, known);
  const id = findText(wire.id) ?? '';
  return defined({
    id,
    model: model ?? '',
    choices: [{ index: 0, parts: withLogprobs(decodeParts(message, id, scope), wire), finish: decodeFinish(raw) }],
    usage: usage === undefined ? undefined : decodeUsage(usage),
    extensions: more === undefined ? {} : { cohere: more },
  });
};
