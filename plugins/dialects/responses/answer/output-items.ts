import type { JsonObject } from '../../../../schema/json/json.ts';

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

export const messageItem = (id: string, status: ItemStatus, content: readonly JsonObject[]): JsonObject => ({
  type: 'message',
  id,
  status,
  role: 'assistant',
  content,
});
