import type { Json } from '../../../../../schema/json/json.ts';
import { findText } from '../../../../../schema/json/loose.ts';

/** Whole seconds since the epoch, of a time as ISO 8601 writes it; null if there is none. */
export const isoSeconds = (value: Json | undefined): number | null => {
  const ms = Date.parse(findText(value) ?? '');
  return Number.isNaN(ms) ? null : Math.floor(ms / 1000);
};
