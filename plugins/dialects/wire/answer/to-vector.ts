import type { Json } from '../../../../schema/json/json.ts';

const bytesOfFloat = 4;

const fromBase64 = (text: string): readonly number[] => {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === 0 || bytes.length % bytesOfFloat !== 0)
    throw new TypeError('it has a vector that is no list of numbers.');
  return Array.from({ length: bytes.length / bytesOfFloat }, (_, at) => bytes.readFloatLE(at * bytesOfFloat));
};

/** A vector as a list of numbers, or as the base64 of 32-bit floats. Throws a `TypeError` for anything else. */
export const toVector = (wire: Json | undefined): readonly number[] => {
  if (typeof wire === 'string') return fromBase64(wire);
  const isVector = Array.isArray(wire) && wire.length > 0 && wire.every((each) => typeof each === 'number');
  if (!isVector) throw new TypeError('it has a vector that is no list of numbers.');
  return wire as readonly number[];
};
