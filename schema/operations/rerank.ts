import type { JsonObject } from '../json/json.ts';

/** A request to order documents by how well they answer a query, in no dialect. */
export interface RerankRequest {
  readonly model?: string;
  readonly query: string;
  /** Their texts, in the client's order. */
  readonly documents: readonly string[];
  /** The most results that the client wants; absent: one for each document. */
  readonly count?: number;
  /** The documents as results repeat them, in the client's order; absent: they do not. */
  readonly repeated?: readonly JsonObject[];
  /** Members of the client's dialect that have no place here, by name. */
  readonly more: readonly string[];
}

/** How relevant one document is. */
export interface RankedDocument {
  /** Its place in the request. */
  readonly index: number;
  /** Comparable within one answer alone. */
  readonly score: number;
}

/** The results of a request, the most relevant first. */
export type Ranking = readonly RankedDocument[];
