import type { Frame } from '../../../sdk/dialect/dialect.ts';

const statuses: readonly string[] = ['response.queued', 'response.in_progress', 'keepalive'];

/** Whether an event carries only the status of the whole response, or keeps the connection open. */
export const isStatusEvent = ({ event, data }: Frame): boolean =>
  statuses.some((type) => event === type || data.startsWith(`{"type":"${type}"`));
