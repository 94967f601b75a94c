import type { Json } from '../../../schema/json.ts';

/** A verdict's data where it can be shown as JSON, else null: what a check says beside its verdict never undoes it. */
export const shownData = (data: Json | undefined): Json => {
  if (typeof data !== 'object' || data === null) return data ?? null;
  try {
    JSON.stringify(data);
    return data;
  } catch {
    return null;
  }
};
