import type { Extensions } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { extended, type KnownMembers } from '../../shared/parts/own-value.ts';

/** The members of a call that a conversation expresses. The index is that of the stream in which the call came. */
export const callMembers: KnownMembers = {
  names: new Set(['id', 'type', 'index', 'function']),
  within: { function: new Set(['name', 'arguments']) },
};

/** Writes a call with these arguments. */
export const encodeCall = (
  call: { readonly id: string; readonly name: string; readonly extensions?: Extensions },
  text: string,
): JsonObject =>
  extended({ id: call.id, type: 'function', function: { name: call.name, arguments: text } }, call, 'cohere');
