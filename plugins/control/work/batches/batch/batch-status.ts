import type { Json } from '../../../../../schema/json/json.ts';

/** Statuses from which nothing follows. */
export const endStatuses = ['failed', 'completed', 'expired', 'cancelled'] as const;

export const isOver = ({ status }: { readonly status?: Json | undefined }): boolean =>
  endStatuses.some((each) => each === status);
