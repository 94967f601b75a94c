import type { Part } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findText, toObjects } from '../../../../schema/json/loose.ts';
import { type CallPlace, readCallId } from '../../shared/request/call-ids.ts';
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

/** Returns the parts of an item in an answer's output. */
export const decodeItem = (item: JsonObject, { scope, ...place }: DecodeItem): readonly Part[] => {
  const call = { kind: 'tool-call' as const, id: readCallId(item.call_id, place), name: findText(item.name) ?? '' };
  switch (item.type) {
    case 'message':
      return toObjects(item.content).flatMap((part) => decodeContent(part) ?? []);
    case 'reasoning':
      return [decodeReasoning(item, scope) ?? []].flat();
    case 'function_call':
      return [{ ...call, arguments: findText(item.arguments) ?? '' }];
    case 'custom_tool_call':
      return [{ ...call, arguments: findText(item.input) ?? '', input: 'text' }];
    default:
      return decodeServerItem(item) ?? [{ kind: 'other', dialect: 'responses', value: item }];
  }
};
