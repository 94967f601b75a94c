import type { Json } from '../../../../schema/json/json.ts';
import type { EmbeddingRequest, Vectors } from '../../../../schema/operations/embedding.ts';

/** Whether it is a number that fits into 32 bits, which clients may ask for. */
const isCoordinate = (each: Json): boolean => typeof each === 'number' && Number.isFinite(Math.fround(each));

const isVector = (wire: Json | undefined): wire is number[] =>
  Array.isArray(wire) && wire.length > 0 && wire.every(isCoordinate);

/** Returns a vector, which is a list of finite numbers. Throws a `TypeError` for anything else. */
const toVector = (wire: Json | undefined): readonly number[] => {
  if (!isVector(wire)) throw new TypeError('it has a vector that is not a list of numbers.');
  return wire;
};

/** Returns the vectors of an answer. Throws a `TypeError` unless there is one for each text of the request. */
export const toVectors = (wires: readonly (Json | undefined)[], { texts }: EmbeddingRequest): Vectors => {
  if (wires.length !== texts.length) throw new TypeError(`it has ${wires.length} vectors for ${texts.length} texts.`);
  const vectors = wires.map(toVector);
  if (vectors.some(({ length }) => length !== vectors[0]?.length))
    throw new TypeError('it has vectors of different lengths.');
  return vectors;
};
