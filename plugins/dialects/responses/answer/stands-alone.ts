import type { Frame } from '../../../sdk/dialect/dialect.ts';

const statuses: readonly string[] = ['response.queued', 'response.in_progress', 'keepalive'];

/** The status of the whole response, and what keeps the connection open. */
export const standsAlone = ({ event, data }: Frame): boolean =>
  statuses.some((type) => event === type || data.startsWith(`{"type":"${type}"`));
