import type { FoundVector } from '../../sdk/cache/vectors.ts';

/** The vector with the same direction and the length 1; undefined if it has no direction. */
export const toUnit = (values: readonly number[] | Float32Array): Float32Array | undefined => {
  let squares = 0;
  for (const value of values) squares += value * value;
  const length = Math.sqrt(squares);
  if (length === 0 || !Number.isFinite(length)) return undefined;
  return Float32Array.from(values, (value) => value / length);
};

/** The cosine of the angle between two vectors of length 1; undefined if they have different dimensions. */
const cosine = (left: Float32Array, right: Float32Array): number | undefined => {
  if (left.length !== right.length) return undefined;
  let sum = 0;
  for (let at = 0; at < left.length; at += 1) sum += (left[at] ?? 0) * (right[at] ?? 0);
  return Math.max(-1, Math.min(1, sum));
};

/** A vector that is kept, with the id that it stands for. */
export interface StoredVector {
  readonly id: string;
  readonly vector: Float32Array;
}

/** Single precision is off by this much. */
const tolerance = 1e-6;

/** Whether a similarity is at least `min`. */
export const isAlike = (similarity: number, min: number): boolean => similarity >= min - tolerance;

/** The rows whose similarity to a vector is at least `min`, the most alike first; where there is none, the most alike one. */
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

/** A row that is alike enough, and how alike it is where its store says that. */
type AlikeRow = Pick<FoundVector, 'id'> & Partial<FoundVector>;

/** The result of a comparison with the rows of a partition. */
export interface Comparison {
  /** The most alike first. */
  readonly alike: readonly AlikeRow[];
  /** The most alike row, where none is alike enough and its store says how alike it is. */
  readonly nearMiss?: FoundVector;
}

/** Reads what a store of vectors found. An id alone is that of a row which is alike enough. */
export const toComparison = (found: readonly (string | FoundVector)[], min: number): Comparison => {
  const rows = found.map((row): AlikeRow => (typeof row === 'string' ? { id: row } : row));
  const alike = rows.filter(({ similarity }) => similarity === undefined || isAlike(similarity, min));
  const [first] = rows;
  if (alike.length > 0 || first?.similarity === undefined) return { alike };
  return { alike, nearMiss: { id: first.id, similarity: first.similarity } };
};
