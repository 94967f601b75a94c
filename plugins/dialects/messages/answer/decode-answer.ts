import type { Answer } from '../../../../schema/conversation/answer.ts';
import { readBound } from '../../../../schema/conversation/bound.ts';
import type { Part } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findItems, findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import type { DecodeAnswer } from '../../../sdk/dialect/dialect.ts';
import { notAnAnswer } from '../../shared/answer/not-an-answer.ts';
import { defined } from '../../shared/json/defined.ts';
import { omit } from '../../shared/json/omit.ts';
import { present } from '../../shared/json/present.ts';
import { ownMembers } from '../../shared/parts/own-value.ts';
import { type CallPlace, readCallId } from '../../shared/request/call-ids.ts';
import { decodeInput } from '../../shared/request/call-input.ts';
import { callMembers } from '../parts/calls.ts';
import { decodeCitation } from '../parts/citations.ts';
import { decodeClosing } from '../parts/closing-thought.ts';
import { decodeServerTool } from '../parts/server-tools.ts';
import { findSignature } from '../parts/signature.ts';
import { decodeFinish, isPlain } from './finish-reasons.ts';
import { decodeUsage } from './usage.ts';

const known: ReadonlySet<string> = new Set([
  'id',
  'type',
  'role',
  'model',
  'content',
  'stop_reason',
  'stop_sequence',
  'stop_details',
  'usage',
]);

const decodeText = (block: JsonObject, scope: string): readonly Part[] => {
  const closing = decodeClosing(findText(block.signature), scope);
  const text = findText(block.text) ?? '';
  if (text === '') return closing;
  const citations = present(toObjects(block.citations).map(decodeCitation));
  return [
    defined({ kind: 'text' as const, text, citations: citations.length > 0 ? citations : undefined }),
    ...closing,
  ];
};

/** Decodes a block that is kept even if it is empty: a call without arguments, or thinking with only a signature. */
const decodeBlock = (block: JsonObject, place: CallPlace, scope: string): Part => {
  switch (block.type) {
    case 'thinking':
      return defined({
        kind: 'reasoning' as const,
        text: findText(block.thinking) ?? '',
        bound: findSignature(findText(block.signature), scope),
      });
    case 'redacted_thinking':
      return { kind: 'reasoning', text: '', bound: readBound(findText(block.data) ?? '', 'encrypted', scope) };
    case 'tool_use':
      return defined({
        kind: 'tool-call' as const,
        id: readCallId(block.id, place),
        name: findText(block.name) ?? '',
        ...decodeInput(findObject(block.input)),
        extensions: ownMembers(block, 'messages', callMembers),
      });
    default:
      return decodeServerTool(block) ?? { kind: 'other', dialect: 'messages', value: block };
  }
};

/** https://docs.anthropic.com/en/api/messages. Throws an `Error` that describes what is wrong. */
export const decodeAnswer = (wire: JsonObject, { scope }: DecodeAnswer): Answer => {
  if (findItems(wire.content) === undefined) throw new Error(notAnAnswer(wire, 'content blocks'));
  const usage = findObject(wire.usage);
  const details = findObject(wire.stop_details);
  const more = omit(wire, known);
  const id = findText(wire.id) ?? '';
  const choice = defined({
    index: 0,
    parts: toObjects(wire.content).flatMap((block, number) =>
      block.type === 'text' ? decodeText(block, scope) : [decodeBlock(block, { answer: id, number }, scope)],
    ),
    finish: decodeFinish(wire),
    extensions: details === undefined || isPlain(details) ? undefined : { messages: { stop_details: details } },
  });
  return defined({
    id,
    model: findText(wire.model) ?? '',
    choices: [choice],
    usage: usage === undefined ? undefined : decodeUsage(usage),
    extensions: more === undefined ? {} : { messages: more },
  });
};
