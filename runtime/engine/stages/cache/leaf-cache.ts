import type { CacheEntry, CacheKey, CacheRead } from '../../../../plugins/sdk/cache/cache.ts';
import type { GatewayResponse } from '../../../../plugins/sdk/http/http.ts';
import type { CacheStage } from '../../../../schema/plan/plan.ts';
import { type Soon, whenSoon } from '../../../async/soon.ts';
import type { SharedCache } from '../../cache/caches.ts';
import { RecordedStream } from '../../cache/recorded-stream.ts';
import type { StoredAnswer } from '../../cache/shared-calls.ts';
import { storedHeaders } from '../../cache/stored-headers.ts';
import type { LinkContext } from '../../call/context.ts';
import type { LeafCall } from '../../call/leaf-call.ts';
import { discard } from '../../error-responses/discard.ts';
import { type HitAge, hitResponse } from './hit-response.ts';
import { isAnswer } from './is-answer.ts';
import { isAnswerStream } from './is-answer-stream.ts';
import { rememberAgain } from './remember-again.ts';

/** The result of a read: an answer, fresh or not, and whether one of a similar request was looked for. */
export interface Found {
  readonly answer: StoredAnswer | undefined;
  readonly similar: boolean;
  /** How alike that request is, or the most alike one, where they were compared. */
  readonly similarity?: number | undefined;
}

/** An entry to write. */
interface Writing {
  readonly entry: CacheEntry;
  /** Called when it is there. */
  readonly done?: () => void;
}

/** Whether an answer may be given to another request. */
const isStorable = ({ status, origin, cause }: GatewayResponse): boolean =>
  status === 200 && origin === 'upstream' && cause === undefined;

/**
 * Whether every output check has judged the last answer, and none failed. One that erred let the answer pass this once; a
 * stored answer would pass unjudged for as long as it is kept.
 */
const isJudged = ({ outputResults = [], hasUnjudgedPart }: LeafCall): boolean =>
  !hasUnjudgedPart &&
  outputResults.every(({ verdict, checks }) => verdict && checks.every(({ error }) => error === undefined));

/** Whether an answer says that its leaf could not serve, as its failures do and refusals of the request do not. */
const isFailure = ({ status, origin }: GatewayResponse): boolean =>
  origin === 'network' || origin === 'timeout' || (status >= 500 && (origin === 'upstream' || origin === 'gateway'));

const toFound = (read: CacheRead): Found => {
  const { similarity } = read;
  const similar = read.similar === true;
  return { answer: read.kind === 'hit' ? { entry: read.entry, similar, similarity } : undefined, similar, similarity };
};

/** As events have it: with four decimals. */
const rounded = (similarity: number): number => Math.round(similarity * 10_000) / 10_000;

const hit = (call: LeafCall, { entry, similar, similarity }: StoredAnswer, age: HitAge): GatewayResponse => {
  const status = similar ? 'SEMANTIC HIT' : 'HIT';
  call.cache = status;
  const alike = similarity === undefined ? {} : { similarity: rounded(similarity) };
  const event = { kind: 'cached', path: call.leaf.path, status, ageS: age.ageS, ...alike } as const;
  call.exchange.trail.push(age.freshS > 0 ? event : { ...event, stale: true });
  rememberAgain(call, entry);
  return hitResponse(call, entry, age);
};

/** A leaf's view of its cache: what is fresh enough for it, and what it stores. */
export class LeafCache {
  readonly shared: SharedCache;
  readonly #stage: CacheStage;
  readonly #context: LinkContext;
  constructor(stage: CacheStage, context: LinkContext) {
    const shared = context.caches.get(stage.mode);
    // A plan whose mode nobody provides is refused before it is linked.
    if (shared === undefined) throw new RangeError(`No plugin provides a cache of the mode "${stage.mode}".`);
    this.shared = shared;
    this.#stage = stage;
    this.#context = context;
  }

  read(key: CacheKey): Soon<Found> {
    return whenSoon(this.shared.cache.read(key), toFound);
  }

  /** The answer to a request whose entry is fresh enough for this leaf. */
  fresh(call: LeafCall, answer: StoredAnswer | undefined): GatewayResponse | undefined {
    if (answer === undefined) return undefined;
    const age = this.#age(call, answer.entry);
    return age.freshS <= 0 ? undefined : hit(call, answer, age);
  }

  /** Notes that there is no answer that is fresh enough, and how near the nearest was. */
  missed(call: LeafCall, { answer, similar, similarity }: Found): void {
    const { exchange, leaf } = call;
    call.cache = similar ? 'SEMANTIC MISS' : 'MISS';
    if (answer !== undefined || similarity === undefined) return;
    exchange.trail.push({ kind: 'missed', path: leaf.path, similarity: rounded(similarity) });
  }

  /** The leaf's answer, or if that is a failure, one that is not too old to stand in for it. */
  rescued(call: LeafCall, response: GatewayResponse, answer: StoredAnswer | undefined): GatewayResponse {
    if (answer === undefined || !isFailure(response)) return response;
    const age = this.#age(call, answer.entry);
    if (age.freshS + this.#context.caches.staleIfErrorS <= 0) return response;
    discard(response);
    return { ...hit(call, answer, age), standsInFor: response };
  }

  /** The entry of a whole answer, if others may have it. */
  findEntry(call: LeafCall, response: GatewayResponse): CacheEntry | undefined {
    const { body, headers } = response;
    return body.kind === 'bytes' && isStorable(response) && isJudged(call) && isAnswer(call, body.bytes)
      ? { headers: storedHeaders(headers), body: body.bytes, isStream: false, storedAt: this.#now() }
      : undefined;
  }

  /** Reads whether an entry is fresh enough for a request. */
  isFresh(call: LeafCall): (entry: CacheEntry) => boolean {
    return (entry) => this.#age(call, entry).freshS > 0;
  }

  /** Writes the entry of a request in the background. */
  write(call: LeafCall, key: CacheKey, { entry, done = () => {} }: Writing): void {
    const ttlS = this.#maxAgeS(call) + this.#context.caches.staleIfErrorS;
    if (ttlS > 0) this.shared.cache.write(key, entry, { ttlS, done });
    else done();
  }

  /** Stores an answer, now or at the end of its stream, if output checks have then judged it and have nothing against it. */
  save(call: LeafCall, key: CacheKey, response: GatewayResponse): GatewayResponse {
    const { body, headers } = response;
    const entry = this.findEntry(call, response);
    if (entry !== undefined) this.write(call, key, { entry });
    if (body.kind === 'bytes' || !isStorable(response)) return response;
    const { recording: budget, entryBytes: max } = this.shared.cache;
    const recorded = (bytes: Buffer): void => {
      if (call.hasTornEnd || !isJudged(call) || !isAnswerStream(call, bytes)) return;
      const stored = { headers: storedHeaders(headers), body: bytes, isStream: true, storedAt: this.#now() };
      this.write(call, key, { entry: stored });
    };
    return { ...response, body: new RecordedStream(body, { max, budget, recorded }) };
  }

  #now(): number {
    return this.#context.ports.clock.wall();
  }

  #age(call: LeafCall, { storedAt }: CacheEntry): HitAge {
    const ageS = Math.max(0, Math.floor((this.#now() - storedAt) / 1000));
    return { ageS, freshS: this.#maxAgeS(call) - ageS };
  }

  /** The age of the config, or of the caller's organisation where that is less, or the config has none. */
  #maxAgeS({ exchange: { principal } }: LeafCall): number {
    const { maxAgeS, isDefaultAge } = this.#stage;
    const max = principal.defaults?.cacheMaxAgeS;
    if (max === undefined) return maxAgeS;
    return isDefaultAge === true ? max : Math.min(max, maxAgeS);
  }
}
