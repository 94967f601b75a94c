import type { Json } from '../../../../../schema/json/json.ts';
import { findNumber } from '../../../../../schema/json/loose.ts';

/** Later than any second until the year 5138. */
const firstMs = 1e11;

/** Whole seconds since the epoch, of seconds or of milliseconds, which some services answer; undefined if there are none. */
export const wireSeconds = (value: Json | undefined): number | undefined => {
  const number = findNumber(value);
  if (number === undefined) return undefined;
  return Math.floor(number >= firstMs ? number / 1000 : number);
};
