import { LRUCache } from 'lru-cache';
import type { CacheKey, CacheRead, Embed, ResponseCache, SemanticOptions } from '../../sdk/cache/cache.ts';
import type { Vectors } from '../../sdk/cache/vectors.ts';
import { FairShares } from '../../sdk/fairness/fair-shares.ts';
import type { Timers } from '../../sdk/http/in-process.ts';
import { within } from '../../sdk/time/within.ts';
import { pausedEmbed } from './paused-embed.ts';
import { findQuestion, type Question } from './question.ts';
import { type Comparison, toComparison, toUnit } from './similarity.ts';

export interface SemanticCacheOptions {
  /** The cache that contains the answers, under the ids of the requests that they were created for. */
  readonly exact: ResponseCache;
  readonly vectors: Vectors;
  readonly embed: Embed;
  readonly options: SemanticOptions;
  readonly timers: Timers;
}

/** The maximum wait for the exact cache, in milliseconds. */
const exactMs = 100;
/** The maximum number of answers of one tenant whose vectors are being computed. Others are only found by identical requests. */
const maxIndexed = 100;
/** How many tenants can compute that many vectors at the same time. */
const floods = 4;
/** The maximum number of remembered vectors, of questions that are being answered. */
const maxRemembered = 1000;

const missed: CacheRead = { kind: 'miss', similar: true };

/** Whether there is an answer that is fresh enough for the request. */
const isFresh = ({ request }: CacheKey, read: CacheRead): boolean =>
  read.kind === 'hit' && request.isFresh?.(read.entry) !== false;

/**
 * Finds the answers to requests that differ only in wording. The exact request is looked up first. A vector is only computed if
 * there is an answer that it could find, and when an answer is stored. A failure to do so never fails the request.
 */
export const semanticCache = ({ exact, vectors, embed, options, timers }: SemanticCacheOptions): ResponseCache => {
  const { threshold, timeoutMs, model } = options;
  const vectorFor = pausedEmbed(embed, timers);
  const remembered = new LRUCache<string, Float32Array>({ max: maxRemembered });
  const indexing = new FairShares(floods * maxIndexed, maxIndexed);

  const readVector = async (key: CacheKey, { text }: Question, isWaitedFor: boolean): Promise<Float32Array> => {
    const known = remembered.get(key.id);
    if (known !== undefined) return known;
    const { tenant, cancellation } = key.request;
    const values = await vectorFor({ text, tenant, timeoutMs, ...(isWaitedFor ? { cancellation } : {}) });
    const vector = toUnit(values);
    if (vector === undefined) throw new Error('The vector of the text has no direction.');
    return vector;
  };

  const compare = async (partition: string, vector: Float32Array): Promise<Comparison> =>
    toComparison(await vectors.nearest(partition, vector, threshold), threshold);

  const similar = async (key: CacheKey, question: Question): Promise<CacheRead> => {
    const { partition } = question;
    if (!(await vectors.has(partition))) return missed;
    const vector = await readVector(key, question, true);
    remembered.set(key.id, vector);
    const { alike, nearMiss } = await compare(partition, vector);
    let old: CacheRead | undefined;
    for (const { id, similarity } of alike) {
      const found = await exact.read({ ...key, id });
      const read: CacheRead = { ...found, similar: true, ...(similarity === undefined ? {} : { similarity }) };
      if (isFresh(key, found)) return read;
      if (found.kind === 'miss') await vectors.remove(partition, id);
      else old ??= read;
    }
    if (old !== undefined || nearMiss === undefined) return old ?? missed;
    // The similarity of an answer that is too old is not relevant for the threshold.
    const nearest = await exact.read({ ...key, id: nearMiss.id });
    return isFresh(key, nearest) ? { ...missed, similarity: nearMiss.similarity } : missed;
  };

  /** Stores a question, and replaces a similar one, which would otherwise be found instead of the newer answer. */
  const index = async (key: CacheKey, question: Question, ttlS: number): Promise<void> => {
    const { partition } = question;
    const vector = await readVector(key, question, false);
    remembered.delete(key.id);
    const { alike } = await compare(partition, vector);
    for (const { id } of alike) if (id !== key.id) await vectors.remove(partition, id);
    await vectors.add({ tenant: key.request.tenant, partition, id: key.id, vector, ttlS });
  };

  const { claim } = exact;
  return {
    async read(key) {
      const read = await within(timers, exactMs, Promise.resolve(exact.read(key)));
      const question = isFresh(key, read) ? undefined : findQuestion(key, model);
      if (question === undefined) return read;
      const found = await within(timers, timeoutMs, similar(key, question)).catch(() => missed);
      return read.kind === 'miss' || isFresh(key, found) ? found : read;
    },
    async write(key, entry, ttlS) {
      await exact.write(key, entry, ttlS);
      const { tenant } = key.request;
      const question = indexing.room(tenant) > 0 ? findQuestion(key, model) : undefined;
      if (question === undefined || !indexing.take(tenant)) return;
      // Storing an answer does not wait for its vector.
      void index(key, question, ttlS)
        .catch(() => {})
        .finally(() => indexing.give(tenant));
    },
    ...(claim === undefined ? {} : { claim: (key, leaseMs) => claim.call(exact, key, leaseMs) }),
    close: () => vectors.close(),
  };
};
