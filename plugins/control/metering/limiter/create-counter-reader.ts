import { gatewayError } from '../../../../schema/errors/errors.ts';
import { allowRepeatedAudits, knownAudits } from '../../access/audit/audit-store.ts';
import { type CounterReader, type LimitPolicy, type PolicyBucket, toWindow } from '../../kernel/limits/limit-policy.ts';
import { newId } from '../../kernel/store/new-id.ts';
import { inChunks } from '../../kernel/store/rows/in-chunks.ts';
import type { Store } from '../../kernel/store/store.ts';
import type { Limits } from '../counters/limits.ts';
import type { LedgerWriter } from '../ledger/ledger-writer.ts';
import type { LedgerEntry } from '../ledger/posting.ts';
import { bucketValues } from './limit-facts.ts';
import { reachedId } from './notify-reached.ts';

interface CounterReaderOptions {
  readonly store: Pick<Store, 'db' | 'write'>;
  readonly limits: Pick<Limits<LedgerEntry>, 'read' | 'reset' | 'settled'>;
  readonly ledger: Pick<LedgerWriter, 'adjust' | 'flush'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** One counter of a policy. */
interface Counted {
  readonly policy: LimitPolicy;
  readonly bucket: string;
}

/**
 * Reads counters to show to people: the sums of the ledger, or larger amounts if the counters that requests are checked against
 * are ahead of it.
 */
export class LedgerCounterReader implements CounterReader {
  readonly #parts: CounterReaderOptions;

  constructor(parts: CounterReaderOptions) {
    this.#parts = parts;
  }

  async readBuckets(policies: readonly LimitPolicy[]): Promise<readonly (readonly PolicyBucket[])[]> {
    if (policies.length === 0) return [];
    const { store, limits, ledger } = this.#parts;
    await Promise.all([ledger.flush(), limits.settled?.('tried')]);
    const summed = await this.#readSums(policies);
    const places = summed.map(({ policy: { id, limit, reset }, bucket }) => ({ policy: id, bucket, limit, reset }));
    // If the counters cannot be queried, the ledger is the best information.
    const states = await limits.read(places).catch(() => []);
    const ids = summed.flatMap((each) => [this.#toId(each, 'threshold'), this.#toId(each, 'exhausted')]);
    const notified = new Set(await inChunks(ids, async (some) => [...(await knownAudits(store.db, some))]));
    const found = summed.map((each, at) => {
      const state = states[at];
      const values = bucketValues(each.bucket, each.policy.groupBy);
      const isNotified = (kind: 'threshold' | 'exhausted'): boolean => notified.has(this.#toId(each, kind));
      const bucket: PolicyBucket = {
        bucket: each.bucket,
        ...(values === undefined ? {} : { values }),
        // A bucket without a place of its own is counted in another one.
        used: Math.max(each.amount, state?.bucket === each.bucket ? state.used : 0),
        notified: { threshold: isNotified('threshold'), exhausted: isNotified('exhausted') },
      };
      return { id: each.policy.id, bucket };
    });
    const byPolicy = Map.groupBy(
      found.filter(({ bucket }) => bucket.used > 0),
      ({ id }) => id,
    );
    return policies.map(({ id }) => (byPolicy.get(id) ?? []).map(({ bucket }) => bucket));
  }

  async reset(policy: LimitPolicy, bucket: string): Promise<void> {
    const { store, limits, ledger, now } = this.#parts;
    const { id, name, unit, reset } = policy;
    // First, so that a limit that is reached right after the reset is reported.
    const notified = [this.#toId({ policy, bucket }, 'threshold'), this.#toId({ policy, bucket }, 'exhausted')];
    await store.write((writing) => allowRepeatedAudits(writing, notified, () => newId(now())));
    const { used, window } = await limits.reset({ policy: id, bucket, reset }).catch(() => {
      throw gatewayError('limits-unavailable', { policy: JSON.stringify(name) });
    });
    if (used !== 0) ledger.adjust({ policy: id, bucket, unit, amount: -used, window });
    await ledger.flush();
  }

  /** Returns the ledger's sums of the counters of policies, in their current windows. */
  async #readSums(policies: readonly LimitPolicy[]): Promise<readonly (Counted & { readonly amount: number })[]> {
    const at = this.#parts.now();
    const byId = new Map(policies.map((policy) => [policy.id, policy]));
    const rows = await inChunks([...byId.keys()], (ids) =>
      this.#parts.store.db
        .selectFrom('counters')
        .select(['policy', 'bucket', 'unit', 'window_at', 'amount'])
        .where('policy', 'in', ids)
        .orderBy('bucket')
        .execute(),
    );
    return rows.flatMap(({ policy: id, bucket, unit, window_at, amount }) => {
      const policy = byId.get(id);
      const isNow = policy?.unit === unit && toWindow(policy.reset, at).start === window_at;
      return policy !== undefined && isNow ? [{ policy, bucket, amount }] : [];
    });
  }

  #toId({ policy, bucket }: Counted, kind: 'threshold' | 'exhausted'): string {
    const { end } = toWindow(policy.reset, this.#parts.now());
    return reachedId({ kind, policy, bucket, resetsAt: end });
  }
}
