import type { ToolCallPart } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { extended, type KnownMembers } from '../../shared/parts/own-value.ts';
import { toInput } from '../../shared/request/call-input.ts';
import { spellings } from './field.ts';

/** The members of a call's part that a conversation expresses. Streams may send its arguments in pieces. */
export const callMembers: KnownMembers = {
  names: spellings(['thought', 'thoughtSignature', 'functionCall']),
  within: { functionCall: new Set(['id', 'name', 'args', ...spellings(['partialArgs', 'willContinue'])]) },
};

/** Writes the part of a call. */
export const callPart = (call: ToolCallPart): JsonObject =>
  extended({ functionCall: { id: call.id, name: call.name, args: toInput(call) } }, call, 'gemini');
