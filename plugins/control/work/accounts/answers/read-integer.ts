import type { Json } from '../../../../../schema/json/json.ts';

/** A whole number, or a text that is one, as Google writes those of 64 bits; null if it is none. */
export const readInteger = (value: Json | undefined): number | null => {
  const whole = Number(value ?? Number.NaN);
  return Number.isSafeInteger(whole) ? whole : null;
};
