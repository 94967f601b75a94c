import type { JsonObject } from '../../../../schema/json/json.ts';

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

export const messageItem = (id: string, status: ItemStatus, content: readonly JsonObject[]): JsonObject => ({
  type: 'message',
  id,
  status,
  role: 'assistant',
  content,
});

export interface CallOfItem {
  readonly id: string;
  /** The id that the result of the call repeats. */
  readonly call: string;
  readonly name: string;
  readonly isCustom: boolean;
}

export const callItem = ({ id, call, name, isCustom }: CallOfItem, status: ItemStatus, text: string): JsonObject =>
  isCustom
    ? { type: 'custom_tool_call', id, status, call_id: call, name, input: text }
    : { type: 'function_call', id, status, call_id: call, name, arguments: text };
