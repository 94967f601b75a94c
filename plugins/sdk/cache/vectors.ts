/** The vector of a question whose answer is stored. */
export interface VectorRow {
  /** The part that it has in common with all questions that it is compared with. */
  readonly partition: string;
  /** The id under which the answer is stored. */
  readonly id: string;
  /** Of length 1. */
  readonly vector: Float32Array;
  readonly ttlS: number;
}

/** A row that was found. */
export interface FoundVector {
  readonly id: string;
  /** The cosine of the angle between its vector and the one that was asked for: from -1 to 1, which is that of the same direction. */
  readonly similarity: number;
}

/** Keeps vectors and finds those that are alike. Any method may reject, and rows may be dropped at any time. */
export interface Vectors {
  /** Whether a partition has a row: only then is it worth making a vector to compare. */
  has(partition: string): Promise<boolean>;
  /**
   * The rows of a partition whose similarity (the cosine) is at least `min`, the most alike first: ids alone, or with the
   * similarity of each, which the log then has. Where no row is that alike, the most alike one may stand alone, with its
   * similarity.
   */
  nearest(partition: string, vector: Float32Array, min: number): Promise<readonly (string | FoundVector)[]>;
  /** Replaces the row of the same partition and id. */
  add(row: VectorRow): Promise<void>;
  remove(partition: string, id: string): Promise<void>;
  close(): Promise<void>;
}
