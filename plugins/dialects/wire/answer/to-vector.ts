import type { Json } from '../../../../schema/json/json.ts';

const isVector = (wire: Json | undefined): wire is number[] =>
  Array.isArray(wire) && wire.length > 0 && wire.every((each) => typeof each === 'number');

/** A vector, which is a list of numbers. Throws a `TypeError` for anything else. */
export const toVector = (wire: Json | undefined): readonly number[] => {
  if (!isVector(wire)) throw new TypeError('it has a vector that is no list of numbers.');
  return wire;
};
