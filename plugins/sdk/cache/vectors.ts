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

/** Keeps vectors and finds those that are alike. Any method may reject, and rows may be dropped at any time. */
export interface Vectors {
  /** Whether a partition has a row: only then is it worth making a vector to compare. */
  has(partition: string): Promise<boolean>;
  /** The ids of a partition whose likeness (the cosine) is at least `least`, the most alike first. */
  nearest(partition: string, vector: Float32Array, least: number): Promise<readonly string[]>;
  /** Replaces the row of the same partition and id. */
  add(row: VectorRow): Promise<void>;
  remove(partition: string, id: string): Promise<void>;
  close(): Promise<void>;
}
