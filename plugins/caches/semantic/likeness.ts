/** The vector with the same direction and the length 1; undefined if it has no direction. */
export const toUnit = (values: readonly number[] | Float32Array): Float32Array | undefined => {
  let squares = 0;
  for (const value of values) squares += value * value;
  const length = Math.sqrt(squares);
  if (length === 0 || !Number.isFinite(length)) return undefined;
  return Float32Array.from(values, (value) => value / length);
};

/** The cosine of the angle between two vectors of length 1; -1 if they have different dimensions. */
const likeness = (left: Float32Array, right: Float32Array): number => {
  if (left.length !== right.length) return -1;
  let sum = 0;
  for (let at = 0; at < left.length; at += 1) sum += (left[at] ?? 0) * (right[at] ?? 0);
  return sum;
};

/** A vector that is kept, with the id that it stands for. */
export interface StoredVector {
  readonly id: string;
  readonly vector: Float32Array;
}

/** Single precision is off by this much. */
const tolerance = 1e-6;

/** The ids whose likeness to a vector is at least `least`, the most alike first. */
export const maxAlike = (kept: Iterable<StoredVector>, vector: Float32Array, least: number): readonly string[] => {
  const found: { readonly id: string; readonly alike: number }[] = [];
  for (const { id, vector: other } of kept) {
    const alike = likeness(vector, other);
    if (alike >= least - tolerance) found.push({ id, alike });
  }
  return found.sort((left, right) => right.alike - left.alike).map(({ id }) => id);
};
