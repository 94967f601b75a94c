import type { FoundVector } from '../../sdk/cache/vectors.ts';

/** Returns the unit vector with the same direction. Undefined if the vector has no direction. */
export const toUnit = (values: readonly number[] | Float32Array): Float32Array | undefined => {
  let squares = 0;
  for (const value of values) squares += value * value;
  const length = Math.sqrt(squares);
  if (length === 0 || !Number.isFinite(length)) return undefined;
  return Float32Array.from(values, (value) => value / length);
};

/** Returns the cosine of the angle between two unit vectors. Undefined if they have different dimensions. */
const cosine = (left: Float32Array, right: Float32Array): number | undefined => {
  if (left.length !== right.length) return undefined;
  let sum = 0;
  for (let at = 0; at < left.length; at += 1) sum += (left[at] ?? 0) * (right[at] ?? 0);
  return Math.max(-1, Math.min(1, sum));
};

/** A stored vector, and the id that it belongs to. */
export interface StoredVector {
  readonly id: string;
  readonly vector: Float32Array;
}

/** The error of single precision. */
const tolerance = 1e-6;

/** Whether a similarity is at least `min`. */
export const isAlike = (similarity: number, min: number): boolean => similarity >= min - tolerance;

/**
 * Returns the rows whose similarity to a vector is at least `min`, the most similar first. If there is none, the most similar
 * row.
 */
export const findNearest = (
  kept: Iterable<StoredVector>,
  vector: Float32Array,
  min: number,
): readonly FoundVector[] => {
  const compared: FoundVector[] = [];
  for (const { id, vector: other } of kept) {
    const similarity = cosine(vector, other);
    if (similarity !== undefined) compared.push({ id, similarity });
  }
  compared.sort((left, right) => right.similarity - left.similarity);
  const alike = compared.filter(({ similarity }) => isAlike(similarity, min));
  return alike.length === 0 ? compared.slice(0, 1) : alike;
};

/** A row that is similar enough, with its similarity if the store reports it. */
type AlikeRow = Pick<FoundVector, 'id'> & Partial<FoundVector>;

/** The result of a comparison with the rows of a partition. */
export interface Comparison {
  /** The most similar first. */
  readonly alike: readonly AlikeRow[];
  /** The most similar row, if none is similar enough and the store reports its similarity. */
  readonly nearMiss?: FoundVector;
}

/** Interprets what a store of vectors found. An id alone belongs to a row that is similar enough. */
export const toComparison = (found: readonly (string | FoundVector)[], min: number): Comparison => {
  const rows = found.map((row): AlikeRow => (typeof row === 'string' ? { id: row } : row));
  const alike = rows.filter(({ similarity }) => similarity === undefined || isAlike(similarity, min));
  const [first] = rows;
  if (alike.length > 0 || first?.similarity === undefined) return { alike };
  return { alike, nearMiss: { id: first.id, similarity: first.similarity } };
};
