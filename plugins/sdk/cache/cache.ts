import type { JsonObject } from '../../../schema/json/json.ts';
import type { Operation, TenantId } from '../exchange/exchange.ts';
import type { CheckHttp } from '../guardrail/guardrail.ts';
import type { Cancellation, RawHeaders } from '../http/http.ts';
import type { Timers } from '../http/in-process.ts';
import type { Vectors } from './vectors.ts';

/** The key of a stored answer. Only the gateway creates keys. */
export interface CacheKey {
  /** A SHA-256 in hexadecimal of everything that determines the answer. Requests with the same id may share an answer. */
  readonly id: string;
  /** The same, without the request body, for caches that compare bodies by their meaning. */
  readonly scope: string;
  readonly request: CachedRequest;
}

/** The request that a key was created for. */
export interface CachedRequest {
  readonly tenant: TenantId;
  readonly operation: Operation;
  /** The dialect of the body that is sent to the provider. */
  readonly dialect: string;
  /**
   * Returns the body that is sent to the provider, after all checks and overrides, or undefined if it is not a JSON object.
   * Parsed on each call.
   */
  body(): JsonObject | undefined;
  /**
   * Whether an answer is fresh enough for this request. If absent, every answer is. A cache that finds several answers prefers a
   * fresh one.
   */
  isFresh?(entry: CacheEntry): boolean;
  /** Cancels a look-up whose result is no longer needed. */
  readonly cancellation: Cancellation;
}

/** A stored answer. Its status is 200. */
export interface CacheEntry {
  readonly headers: RawHeaders;
  /** For a stream, everything that was sent to its client, including the framing. These bytes must not be modified. */
  readonly body: Uint8Array;
  readonly isStream: boolean;
  /** Milliseconds since the epoch. */
  readonly storedAt: number;
}

/**
 * The result of a look-up. `similar`: the answer belongs to a similar request, or such a request was looked for. `similarity` is
 * for the log: how similar that request is, from -1 to 1 (the cosine of two vectors). On a miss, it is that of the most similar
 * request, which was not similar enough.
 */
export type CacheRead =
  | { readonly kind: 'hit'; readonly entry: CacheEntry; readonly similar?: true; readonly similarity?: number }
  | { readonly kind: 'miss'; readonly similar?: true; readonly similarity?: number };

/** The result of a claim, if several gateways want the same key at once. */
export type CacheClaim =
  | {
      readonly lead: true;
      /** Releases the claim: the answer is stored, or there is none. Others stop waiting. */
      release(): void;
    }
  | {
      readonly lead: false;
      /** Resolves to the leader's answer, or to undefined once there is no leader or the cancellation fires. */
      entry(cancellation: Cancellation): Promise<CacheEntry | undefined>;
    };

/**
 * Stores answers. Any method may reject, be slow, or lose what was written: the gateway limits its wait, and calls the provider
 * instead. A cache must never return an entry that was stored under another id.
 */
export interface ResponseCache {
  /**
   * Looks up an answer. Return a promise only if the look-up has to wait: returning a value that is already available directly
   * makes the request cheaper.
   */
  read(key: CacheKey): CacheRead | Promise<CacheRead>;
  /** Stores an entry. It may be evicted at any time, and must expire after `ttlS` seconds. */
  write(key: CacheKey, entry: CacheEntry, ttlS: number): Promise<void>;
  /**
   * Claims the lead for a key. The lead expires `leaseMs` after the leading process has stopped. Only for stores that several
   * processes share: within one process, the gateway itself joins identical requests.
   */
  claim?(key: CacheKey, leaseMs: number): Promise<CacheClaim>;
  close?(): Promise<void>;
}

/** The cache settings of the gateway file, with references resolved. */
export interface CacheOptions {
  /** The maximum size of the answers in memory, in bytes. */
  readonly maxBytes: number;
  /** The address of a shared store. If absent, answers are kept in memory. It may contain a password, so it is never shown. */
  readonly url?: string;
  /** How similar questions are found. If absent, only identical requests are. */
  readonly semantic?: SemanticOptions;
}

/** How questions in different words are found. */
export interface SemanticOptions {
  /** The name of the embedding model. Vectors of different models are not compared. */
  readonly model: string;
  /** The minimum cosine of two questions that may share an answer. */
  readonly threshold: number;
  /** The maximum time that a request waits, in milliseconds. */
  readonly timeoutMs: number;
  /** The maximum size of the vectors in memory, in bytes. */
  readonly maxBytes: number;
  /**
   * The address of a PostgreSQL database for vectors that several processes share. It may contain a password, so it is never
   * shown.
   */
  readonly url?: string;
}

/** A text to embed. */
export interface EmbedRequest {
  readonly text: string;
  /** The tenant that the text belongs to. */
  readonly tenant: TenantId;
  readonly timeoutMs: number;
  /** Cancels the call. Absent if nothing waits for it. */
  readonly cancellation?: Cancellation;
}

/**
 * Returns the vector of a text, from the provider that the gateway file names. Rejects with an `Error` that explains why there is
 * none.
 */
export type Embed = (request: EmbedRequest) => Promise<readonly number[]>;

/** The services of the gateway that a cache may use. */
export interface CacheServices {
  /** The only way to reach other machines over HTTP. */
  readonly http: CheckHttp;
  readonly timers: Timers;
  /** Absent if the gateway file names no provider for embeddings. */
  readonly embed?: Embed;
  /**
   * The cache in the one process that keeps answers in memory for all workers of the gateway. Absent if the gateway is a single
   * process.
   */
  readonly shared?: ResponseCache;
  /** The same for the vectors of questions. */
  readonly sharedVectors?: Vectors;
  /** Returns the cache of another mode, such as `simple`, to build on. Undefined if no plugin provides the mode. */
  cache(mode: string): ResponseCache | undefined;
}

/**
 * A mode of caching. Configs can name `simple` and `semantic` in `cache.mode`; any other mode can only be used by other caches.
 */
export interface CacheDefinition {
  readonly mode: string;
  /** The maximum time that a request waits for `read`, in milliseconds; 100 if absent. */
  readonly readMs?: number;
  /** Creates the cache. Called once, when a plan with the mode is first linked. Must not be async. */
  create(options: CacheOptions, services: CacheServices): ResponseCache;
}

/** Defines a mode of caching, for the `caches` of a plugin. */
export const defineCache = (definition: CacheDefinition): CacheDefinition => definition;
