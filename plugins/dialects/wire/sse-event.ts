import type { Json } from '../../../schema/json.ts';

/** One server-sent event as text, complete with its blank line. */
export const sseEvent = (data: Json, event?: string): string =>
  event === undefined ? `data: ${JSON.stringify(data)}\n\n` : `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
