import type { Json } from '../../../../schema/json/json.ts';
import type { EmbeddingRequest, Vectors } from '../../../../schema/operations/embedding.ts';

/** Whether it is a number that 32 bits can hold, as clients may ask for. */
const isCoordinate = (each: Json): boolean => typeof each === 'number' && Number.isFinite(Math.fround(each));

const isVector = (wire: Json | undefined): wire is number[] =>
  Array.isArray(wire) && wire.length > 0 && wire.every(isCoordinate);

/** A vector, which is a list of finite numbers. Throws a `TypeError` for anything else. */
const toVector = (wire: Json | undefined): readonly number[] => {
  if (!isVector(wire)) throw new TypeError('it has a vector that is no list of numbers.');
  return wire;
};

/** The vectors of an answer, of which each text of the request has one. Throws a `TypeError` otherwise. */
export const toVectors = (wires: readonly (Json | undefined)[], { texts }: EmbeddingRequest): Vectors => {
  if (wires.length !== texts.length) throw new TypeError(`it has ${wires.length} vectors for ${texts.length} texts.`);
  const vectors = wires.map(toVector);
  if (vectors.some(({ length }) => length !== vectors[0]?.length))
    throw new TypeError('it has vectors of different lengths.');
  return vectors;
};
