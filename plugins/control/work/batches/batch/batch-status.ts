import type { Json } from '../../../../../schema/json/json.ts';

/** Statuses from which nothing follows. */
export const endStatuses = ['failed', 'completed', 'expired', 'cancelled'] as const;

/** The times that a batch may have. */
export const timeNames = [
  'in_progress_at',
  'finalizing_at',
  'completed_at',
  'failed_at',
  'expires_at',
  'expired_at',
  'cancelling_at',
  'cancelled_at',
] as const;

export const isOver = ({ status }: { readonly status?: Json | undefined }): boolean =>
  endStatuses.some((each) => each === status);
