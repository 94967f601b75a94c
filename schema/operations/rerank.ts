import type { JsonObject } from '../json/json.ts';

/** A request to rank documents by their relevance to a query, independent of any dialect. */
export interface RerankRequest {
  readonly model?: string;
  readonly query: string;
  /** Their texts, in the client's order. */
  readonly documents: readonly string[];
  /** The most results that the client wants; one for each document if absent. */
  readonly count?: number;
  /** The documents as results repeat them, in the client's order; absent if results do not repeat them. */
  readonly repeated?: readonly JsonObject[];
  /** Members of the client's dialect that have no counterpart here, by name. */
  readonly more: readonly string[];
}

/** How relevant one document is. */
export interface RankedDocument {
  /** Its place in the request. */
  readonly index: number;
  /** The score. It is comparable only within one response. */
  readonly score: number;
}

/** The results of a request, the most relevant first. */
export type Ranking = readonly RankedDocument[];
