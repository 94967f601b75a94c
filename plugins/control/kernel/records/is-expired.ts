import type { Millis } from '../store/store-tables.ts';

/** Whether a record has expired at a time, in milliseconds since the epoch. */
export const isExpired = ({ expires_at: end }: { readonly expires_at: Millis | null }, now: Millis): boolean =>
  end !== null && end <= now;
