import type { Extensions } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { extended, type KnownMembers } from '../../shared/parts/own-value.ts';

/** The members of a call's block that a conversation expresses. */
export const callMembers: KnownMembers = {
  names: new Set(['toolUse']),
  within: { toolUse: new Set(['toolUseId', 'name', 'input']) },
};

/** Writes the block of a call, or its start in a stream, which has no input yet. */
export const callBlock = (
  call: { readonly id: string; readonly name: string; readonly extensions?: Extensions },
  input?: JsonObject,
): JsonObject => {
  const toolUse = { toolUseId: call.id, name: call.name, ...(input && { input }) };
  return extended({ toolUse }, call, 'converse');
};
