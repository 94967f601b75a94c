import type { JsonObject } from '../../../schema/json/json.ts';
import type { Operation, TenantId } from '../exchange/exchange.ts';
import type { CheckHttp } from '../guardrail/guardrail.ts';
import type { Cancellation, RawHeaders } from '../http/http.ts';
import type { Timers } from '../http/in-process.ts';
import type { Vectors } from './vectors.ts';

/** The parts of the key of a stored answer. Nobody but the gateway makes keys. */
export interface CacheKey {
  /** A SHA-256 in hexadecimal of all that decides the answer: requests with the same id may have the same answer. */
  readonly id: string;
  /** The same without the body that is sent, for caches that compare bodies by what they mean. */
  readonly scope: string;
  readonly request: CachedRequest;
}

/** The request of a key. */
export interface CachedRequest {
  readonly tenant: TenantId;
  readonly operation: Operation;
  /** The dialect of the body that is sent. */
  readonly dialect: string;
  /** The body that is sent, after all checks and overrides; undefined if it is not a JSON object. Parsed on each call. */
  body(): JsonObject | undefined;
  /** Whether an answer is not too old for this request. Absent: none is. A cache that finds several gives one of those, if there is one. */
  isFresh?(entry: CacheEntry): boolean;
  /** Ends a look-up that nobody waits for any more. */
  readonly cancellation: Cancellation;
}

/** A stored answer. Its status is 200. */
export interface CacheEntry {
  readonly headers: RawHeaders;
  /** For a stream, everything that was sent to its client, framing included. Nobody changes these bytes. */
  readonly body: Uint8Array;
  readonly isStream: boolean;
  /** Milliseconds since the epoch. */
  readonly storedAt: number;
}

/**
 * A cache's answer for a key. `similar`: the answer of another request that is alike, or that one was looked for. `similarity`, for
 * the log: how alike that request is, from -1 to 1 (the cosine of two vectors), or the most alike one, where none was alike enough.
 */
export type CacheRead =
  | { readonly kind: 'hit'; readonly entry: CacheEntry; readonly similar?: true; readonly similarity?: number }
  | { readonly kind: 'miss'; readonly similar?: true; readonly similarity?: number };

/** The outcome of a claim where several gateways want the same key at once. */
export type CacheClaim =
  | {
      readonly lead: true;
      /** The answer is written, or there is none: others need not wait any longer. */
      release(): void;
    }
  | {
      readonly lead: false;
      /** Settles with the leader's answer, or with undefined once nobody leads or the cancellation fires. */
      entry(cancellation: Cancellation): Promise<CacheEntry | undefined>;
    };

/**
 * Keeps answers. Any method may reject, be slow, or lose what was written: the gateway bounds its wait, and calls the
 * provider instead. It must never return an entry that was written under another id.
 */
export interface ResponseCache {
  /** A promise only where it waits for something: what is at hand is given at once, which costs a request less. */
  read(key: CacheKey): CacheRead | Promise<CacheRead>;
  /** An entry may be dropped at any time, and must be after `ttlS` seconds. */
  write(key: CacheKey, entry: CacheEntry, ttlS: number): Promise<void>;
  /**
   * Takes the lead for a key, which is lost `leaseMs` after the process that leads has stopped. Only for a store that
   * several processes share: within one process the gateway joins equal requests itself.
   */
  claim?(key: CacheKey, leaseMs: number): Promise<CacheClaim>;
  close?(): Promise<void>;
}

/** The part of the gateway file that concerns stores, with its references resolved. */
export interface CacheOptions {
  /** The most bytes that are kept in memory. */
  readonly maxBytes: number;
  /** Where a shared store is. Absent: answers are kept in memory. It may contain a password, so it is never shown. */
  readonly url?: string;
  /** How questions in other words are found. Absent: only equal requests are. */
  readonly semantic?: SemanticOptions;
}

/** How questions in other words are found. */
export interface SemanticOptions {
  /** Names the model of the vectors: those of different models are not compared. */
  readonly model: string;
  /** The least cosine of two questions with one answer. */
  readonly threshold: number;
  /** The longest that a request waits, in milliseconds. */
  readonly timeoutMs: number;
  /** The most bytes of vectors in memory. */
  readonly maxBytes: number;
  /** A PostgreSQL for vectors that several processes share. It may contain a password, so it is never shown. */
  readonly url?: string;
}

/** A text whose vector is wanted. */
export interface EmbedRequest {
  readonly text: string;
  /** The owner of the text. */
  readonly tenant: TenantId;
  readonly timeoutMs: number;
  /** Ends the call; absent if nobody waits for it. */
  readonly cancellation?: Cancellation;
}

/** Gives the vector of a text, as the provider of the gateway file makes it. Rejects with an `Error` that says why there is none. */
export type Embed = (request: EmbedRequest) => Promise<readonly number[]>;

/** The services of the gateway that a cache may use. */
export interface CacheServices {
  /** The only way to other machines over HTTP. */
  readonly http: CheckHttp;
  readonly timers: Timers;
  /** Absent where the gateway file names no provider for it. */
  readonly embed?: Embed;
  /** Where one process keeps answers in memory for all workers of the gateway; absent where the gateway is one process. */
  readonly shared?: ResponseCache;
  /** The same for vectors of questions. */
  readonly sharedVectors?: Vectors;
  /** The cache of another mode, such as `simple`, which a cache can build on. Undefined if no plugin provides the mode. */
  cache(mode: string): ResponseCache | undefined;
}

/** A mode of caching. Configs name `simple` and `semantic` in `cache.mode`; a cache of another mode serves other caches alone. */
export interface CacheDefinition {
  readonly mode: string;
  /** The longest that a request waits for `read`, in milliseconds; 100 if absent. */
  readonly readMs?: number;
  /** Called once, when a plan with the mode is first linked. Must not wait for anything. */
  create(options: CacheOptions, services: CacheServices): ResponseCache;
}

/** A mode of caching, for the `caches` of a plugin. */
export const defineCache = (definition: CacheDefinition): CacheDefinition => definition;
