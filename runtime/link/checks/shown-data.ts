import type { Json } from '../../../schema/json.ts';

/** A verdict's data if it can be written as JSON, else null: its data never invalidates a verdict. */
export const shownData = (data: Json | undefined): Json => {
  if (typeof data !== 'object' || data === null) return data ?? null;
  try {
    JSON.stringify(data);
    return data;
  } catch {
    return null;
  }
};
