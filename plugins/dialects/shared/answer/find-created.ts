import type { Json } from '../../../../schema/json/json.ts';
import { findNumber } from '../../../../schema/json/loose.ts';

/** Returns a time in whole seconds, as clients expect it. Some services write fractions. */
export const findCreated = (wire: Json | undefined): number | undefined => {
  const seconds = findNumber(wire);
  return seconds !== undefined && seconds >= 0 ? Math.floor(seconds) : undefined;
};
