import type { Answer } from '../../../../schema/conversation/answer.ts';
import type { Part } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findItems, findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import type { DecodeAnswer } from '../../../sdk/dialect/dialect.ts';
import { notAnAnswer } from '../../shared/answer/not-an-answer.ts';
import { defined } from '../../shared/json/defined.ts';
import { omit } from '../../shared/json/omit.ts';
import { ownMembers } from '../../shared/parts/own-value.ts';
import { readCallId } from '../../shared/request/call-ids.ts';
import { decodeInput } from '../../shared/request/call-input.ts';
import { decodeReasoning } from '../parts/bound-values.ts';
import { callMembers } from '../parts/calls.ts';
import { decodeCitation } from '../parts/citations.ts';
import { decodeMedia, mediaKinds } from '../parts/decode-media.ts';
import { decodeServerCall, decodeServerResult, isServerCall } from '../parts/server-tools.ts';
import { decodeFinish } from './finish-reasons.ts';
import { unknownLatency } from './latency.ts';
import { findUsage } from './usage.ts';

const known: ReadonlySet<string> = new Set(['output', 'stopReason', 'usage', 'serviceTier']);
const stopSequence: ReadonlySet<string> = new Set(['stop_sequence']);

const decodeCited = (content: JsonObject): Part => {
  const citations = toObjects(content.citations).map(decodeCitation);
  return defined({
    kind: 'text' as const,
    text: toObjects(content.content)
      .map(({ text }) => findText(text) ?? '')
      .join(''),
    citations: citations.length > 0 ? citations : undefined,
  });
};

const decodeCall = (block: JsonObject, call: JsonObject, number: number): Part =>
  defined({
    kind: 'tool-call' as const,
    id: readCallId(call.toolUseId, { answer: '', number }),
    name: findText(call.name) ?? '',
    ...decodeInput(findObject(call.input)),
    extensions: ownMembers(block, 'converse', callMembers),
  });

/** Decodes a content block, which is identified by its only member. Returns nothing for an empty text. */
const decodeBlock = (block: JsonObject, number: number, scope: string): readonly Part[] => {
  const text = findText(block.text);
  if (text !== undefined) return text === '' ? [] : [{ kind: 'text', text }];
  const call = findObject(block.toolUse);
  if (call !== undefined) return [isServerCall(call) ? decodeServerCall(block) : decodeCall(block, call, number)];
  if (findObject(block.toolResult) !== undefined) return [decodeServerResult(block)];
  const reasoning = findObject(block.reasoningContent);
  if (reasoning !== undefined) return [decodeReasoning(reasoning, scope)];
  const cited = findObject(block.citationsContent);
  if (cited !== undefined) return [decodeCited(cited)];
  const kind = mediaKinds.find((each) => block[each] !== undefined);
  const media = kind === undefined ? undefined : decodeMedia(kind, block);
  return [media ?? { kind: 'other', dialect: 'converse', value: block }];
};

const decodeExtensions = (wire: JsonObject): Answer['extensions'] => {
  const fields = findObject(wire.additionalModelResponseFields);
  const metrics = findObject(wire.metrics);
  const more: JsonObject = defined({
    ...omit(wire, known),
    additionalModelResponseFields: fields === undefined ? undefined : omit(fields, stopSequence),
    metrics: metrics?.latencyMs === unknownLatency ? undefined : metrics,
  });
  return Object.keys(more).length > 0 ? { converse: more } : {};
};

/**
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html#API_runtime_Converse_ResponseSyntax. An
 * answer has no id and does not name its model. Throws an `Error` that describes what is wrong.
 */
export const decodeAnswer = (wire: JsonObject, { scope, model = '' }: DecodeAnswer): Answer => {
  const content = findObject(findObject(wire.output)?.message)?.content;
  if (findItems(content) === undefined) throw new Error(notAnAnswer(wire, 'content blocks'));
  const finish = decodeFinish(findText(wire.stopReason), findObject(wire.additionalModelResponseFields));
  return defined({
    id: '',
    model,
    choices: [
      { index: 0, parts: toObjects(content).flatMap((block, number) => decodeBlock(block, number, scope)), finish },
    ],
    usage: findUsage(wire),
    extensions: decodeExtensions(wire),
  });
};
