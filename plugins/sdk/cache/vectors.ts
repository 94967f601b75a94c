import type { TenantId } from '../exchange/exchange.ts';

/** The vector of a question whose answer is stored. */
export interface VectorRow {
  readonly tenant: TenantId;
  /** The part that all questions must have in common to be compared. */
  readonly partition: string;
  /** The id under which the answer is stored. */
  readonly id: string;
  /** A unit vector. */
  readonly vector: Float32Array;
  readonly ttlS: number;
}

/** A row that a look-up found. */
export interface FoundVector {
  readonly id: string;
  /** The cosine of the angle between its vector and the given one, from -1 to 1; 1 means the same direction. */
  readonly similarity: number;
}

/** Stores vectors and finds similar ones. Any method may reject, and rows may be evicted at any time. */
export interface Vectors {
  /** Whether a partition has any rows. If not, there is no need to embed a text. */
  has(partition: string): Promise<boolean>;
  /**
   * Returns the rows of a partition whose similarity (the cosine) is at least `min`, the most similar first: either ids alone, or
   * with the similarity of each, which is then logged. If no row is that similar, the result may be the most similar row alone,
   * with its similarity.
   */
  nearest(partition: string, vector: Float32Array, min: number): Promise<readonly (string | FoundVector)[]>;
  /** Adds a row, or replaces the one with the same partition and id. */
  add(row: VectorRow): Promise<void>;
  remove(partition: string, id: string): Promise<void>;
  close(): Promise<void>;
}
