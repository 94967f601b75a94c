import type { CacheEntry, CacheKey, CacheRead } from '../../../../plugins/sdk/cache/cache.ts';
import type { GatewayResponse } from '../../../../plugins/sdk/http/http.ts';
import type { CacheStage } from '../../../../schema/plan/plan.ts';
import { type MaybePromise, thenMaybe } from '../../../async/maybe-promise.ts';
import type { LinkContext } from '../../call/context.ts';
import type { LeafCall } from '../../call/leaf-call.ts';
import { discard } from '../../error-responses/discard.ts';
import type { SharedCache } from '../../plugin-caches/caches.ts';
import type { StoredAnswer } from '../../plugin-caches/shared-calls.ts';
import { type HitAge, hitResponse } from './hit-response.ts';
import { isAnswer } from './is-answer.ts';
import { isAnswerStream } from './is-answer-stream.ts';
import { RecordedStream } from './recorded-stream.ts';
import { rememberAgain } from './remember-again.ts';
import { storedHeaders } from './stored-headers.ts';

/** The result of a read: an answer, fresh or not, and whether a similar request's answer was looked for. */
export interface Found {
  readonly answer: StoredAnswer | undefined;
  readonly similar: boolean;
  /** The similarity of that request, or of the nearest one, if they were compared. */
  readonly similarity?: number | undefined;
}

/** An entry to write. */
interface Writing {
  readonly entry: CacheEntry;
  /** Called when the entry is written. */
  readonly done?: () => void;
}

/** Whether an answer may be used for another request. */
const isStorable = ({ status, origin, cause }: GatewayResponse): boolean =>
  status === 200 && origin === 'upstream' && cause === undefined;

/**
 * Whether every output check has judged the last answer, and none failed. A check that erred lets the answer pass once, but a
 * stored answer would pass unjudged for as long as it is kept.
 */
const isJudged = ({ outputResults = [], hasUnjudgedPart }: LeafCall): boolean =>
  !hasUnjudgedPart &&
  outputResults.every(({ verdict, checks }) => verdict && checks.every(({ error }) => error === undefined));

/** Whether an answer means that its leaf could not serve. Failures do, refusals of the request do not. */
const isFailure = ({ status, origin }: GatewayResponse): boolean =>
  origin === 'network' || origin === 'timeout' || (status >= 500 && (origin === 'upstream' || origin === 'gateway'));

const toFound = (read: CacheRead): Found => {
  const { similarity } = read;
  const similar = read.similar === true;
  return { answer: read.kind === 'hit' ? { entry: read.entry, similar, similarity } : undefined, similar, similarity };
};

/** Rounds to four decimals, as in events. */
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

/** A leaf's view of its cache: what is fresh enough, and what is stored. */
export class LeafCache {
  readonly shared: SharedCache;
  readonly #stage: CacheStage;
  readonly #context: LinkContext;
  constructor(stage: CacheStage, context: LinkContext) {
    const shared = context.caches.get(stage.mode);
    // A plan whose mode no plugin provides is refused before it is linked.
    if (shared === undefined) throw new RangeError(`No plugin provides a cache of the mode "${stage.mode}".`);
    this.shared = shared;
    this.#stage = stage;
    this.#context = context;
  }

  read(key: CacheKey): MaybePromise<Found> {
    return thenMaybe(this.shared.cache.read(key), toFound);
  }

  /** Returns the stored answer to a request if it is fresh enough for this leaf. */
  fresh(call: LeafCall, answer: StoredAnswer | undefined): GatewayResponse | undefined {
    if (answer === undefined) return undefined;
    const age = this.#age(call, answer.entry);
    return age.freshS <= 0 ? undefined : hit(call, answer, age);
  }

  /** Records that no answer is fresh enough, and how near the nearest was. */
  missed(call: LeafCall, { answer, similar, similarity }: Found): void {
    const { exchange, leaf } = call;
    call.cache = similar ? 'SEMANTIC MISS' : 'MISS';
    if (answer !== undefined || similarity === undefined) return;
    exchange.trail.push({ kind: 'missed', path: leaf.path, similarity: rounded(similarity) });
  }

  /** Returns the leaf's answer, or, if that is a failure, a stored one that is not too old to replace it. */
  rescued(call: LeafCall, response: GatewayResponse, answer: StoredAnswer | undefined): GatewayResponse {
    if (answer === undefined || !isFailure(response)) return response;
    const age = this.#age(call, answer.entry);
    if (age.freshS + this.#context.caches.staleIfErrorS <= 0) return response;
    discard(response);
    return { ...hit(call, answer, age), standsInFor: response };
  }

  /** Returns the entry for a whole answer if others may receive it. */
  findEntry(call: LeafCall, response: GatewayResponse): CacheEntry | undefined {
    const { body, headers } = response;
    return body.kind === 'bytes' && isStorable(response) && isJudged(call) && isAnswer(call, body.bytes)
      ? { headers: storedHeaders(headers), body: body.bytes, isStream: false, storedAt: this.#now() }
      : undefined;
  }

  /** Returns a function that checks whether an entry is fresh enough for a request. */
  isFresh(call: LeafCall): (entry: CacheEntry) => boolean {
    return (entry) => this.#age(call, entry).freshS > 0;
  }

  /** Writes the entry of a request in the background. */
  write(call: LeafCall, key: CacheKey, { entry, done = () => {} }: Writing): void {
    const ttlS = this.#maxAgeS(call) + this.#context.caches.staleIfErrorS;
    if (ttlS > 0) this.shared.cache.write(key, entry, { ttlS, done });
    else done();
  }

  /** Stores an answer, now or at the end of its stream, if output checks have judged it by then and do not object. */
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

  /** Returns the maximum age of the config, or the caller's organisation's if that is less or the config has none. */
  #maxAgeS({ exchange: { principal } }: LeafCall): number {
    const { maxAgeS, isDefaultAge } = this.#stage;
    const max = principal.defaults?.cacheMaxAgeS;
    if (max === undefined) return maxAgeS;
    return isDefaultAge === true ? max : Math.min(max, maxAgeS);
  }
}
