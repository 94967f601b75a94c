import type { Part, ToolCallPart } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findText, toObjects } from '../../../../schema/json/loose.ts';
import { defined } from '../../shared/json/defined.ts';
import { ownMembers } from '../../shared/parts/own-value.ts';
import { type CallPlace, readCallId } from '../../shared/request/call-ids.ts';
import { callMembers } from '../parts/calls.ts';
import { decodeOutputText } from '../parts/output-text.ts';
import { decodeReasoning } from '../parts/reasoning-item.ts';
import { decodeServerItem } from '../parts/server-items.ts';

/** Decodes a part of a message's content. Returns undefined for an empty text. */
const decodeContent = (part: JsonObject): Part | undefined => {
  switch (part.type) {
    case 'output_text': {
      const text = decodeOutputText(part);
      return text.text === '' ? undefined : text;
    }
    case 'refusal': {
      const text = findText(part.refusal) ?? '';
      return text === '' ? undefined : { kind: 'refusal', text };
    }
    default:
      return { kind: 'other', dialect: 'responses', value: part };
  }
};

export interface DecodeItem extends CallPlace {
  /** The scope of bound values that name none. */
  readonly scope: string;
}

/** Decodes a call of a function or of a custom tool. */
export const decodeCall = (item: JsonObject, place: CallPlace): ToolCallPart => {
  const isCustom = item.type === 'custom_tool_call';
  const written = isCustom ? 'input' : 'arguments';
  return defined({
    kind: 'tool-call' as const,
    id: readCallId(item.call_id, place),
    name: findText(item.name) ?? '',
    arguments: findText(item[written]) ?? '',
    input: isCustom ? ('text' as const) : undefined,
    extensions: ownMembers(item, 'responses', callMembers[written]),
  });
};

/** Returns the parts of an item in an answer's output. */
export const decodeItem = (item: JsonObject, { scope, ...place }: DecodeItem): readonly Part[] => {
  switch (item.type) {
    case 'message':
      return toObjects(item.content).flatMap((part) => decodeContent(part) ?? []);
    case 'reasoning':
      return [decodeReasoning(item, scope) ?? []].flat();
    case 'function_call':
    case 'custom_tool_call':
      return [decodeCall(item, place)];
    default:
      return decodeServerItem(item) ?? [{ kind: 'other', dialect: 'responses', value: item }];
  }
};
