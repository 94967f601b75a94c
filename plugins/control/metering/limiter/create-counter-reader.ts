import { gatewayError } from '../../../../schema/errors/errors.ts';
import { knownAudits, releaseAudits } from '../../access/audit/audit-store.ts';
import { type CounterReader, type LimitPolicy, type PolicyBucket, toWindow } from '../../kernel/limits/limit-policy.ts';
import { newId } from '../../kernel/store/new-id.ts';
import { inChunks } from '../../kernel/store/rows/in-chunks.ts';
import type { Store } from '../../kernel/store/store.ts';
import type { Limits } from '../counters/limits.ts';
import type { LedgerEntry } from '../ledger/record/posting.ts';
import type { LedgerWriter } from '../ledger/writer/ledger-writer.ts';
import { reachedId } from './notify-reached.ts';

/** The parts of a text that commas separate; a character behind a backslash is meant as it is. */
const parts = (bucket: string): readonly string[] => {
  const found: string[] = [];
  let part = '';
  for (let at = 0; at < bucket.length; at += 1) {
    const char = bucket[at] ?? '';
    if (char === ',') {
      found.push(part);
      part = '';
    } else if (char === '\\') {
      at += 1;
      part += bucket[at] ?? '';
    } else part += char;
  }
  return [...found, part];
};

/**
 * The values that a bucket is named by, in the order of `group_by`; undefined for a name that was too long, and for the bucket
 * that others share.
 */
export const bucketValues = (bucket: string, groupBy: readonly string[]): readonly string[] | undefined => {
  if (groupBy.length === 0) return bucket === '' ? [] : undefined;
  const found = parts(bucket);
  if (found.length !== groupBy.length || /…sha256:[0-9a-f]{64}$/.test(bucket)) return undefined;
  const values = found.flatMap((part, at) => {
    const prefix = `${groupBy[at]}:`;
    return part.startsWith(prefix) ? [part.slice(prefix.length)] : [];
  });
  return values.length === groupBy.length ? values : undefined;
};

interface CounterReaderOptions {
  readonly store: Pick<Store, 'db' | 'write'>;
  readonly limits: Pick<Limits<LedgerEntry>, 'read' | 'reset'>;
  readonly ledger: Pick<LedgerWriter, 'adjust' | 'flush'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** The ledger's sum of one counter. */
interface Summed {
  readonly policy: LimitPolicy;
  readonly bucket: string;
  readonly amount: number;
}

/**
 * Reads counters for people: what the ledger has of them, or more, where the counters that requests are held against are
 * ahead of it.
 */
export const createCounterReader = ({ store, limits, ledger, now }: CounterReaderOptions): CounterReader => {
  const { db } = store;

  const sums = async (policies: readonly LimitPolicy[]): Promise<readonly Summed[]> => {
    const at = now();
    const byId = new Map(policies.map((policy) => [policy.id, policy]));
    const rows = await inChunks([...byId.keys()], (ids) =>
      db
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
  };

  const toId = ({ policy, bucket }: Pick<Summed, 'policy' | 'bucket'>, kind: 'threshold' | 'exhausted'): string => {
    const { end = 0 } = toWindow(policy.reset, now());
    return reachedId({ kind, policy: policy.id, bucket, resetsAt: end });
  };

  const readNotified = async (summed: readonly Summed[]): Promise<ReadonlySet<string>> => {
    const ids = summed.flatMap((each) => [toId(each, 'threshold'), toId(each, 'exhausted')]);
    return new Set(await inChunks(ids, async (some) => [...(await knownAudits(db, some))]));
  };

  return {
    async readBuckets(policies) {
      if (policies.length === 0) return [];
      await ledger.flush();
      const summed = await sums(policies);
      const places = summed.map(({ policy: { id, limit, reset }, bucket }) => ({ policy: id, bucket, limit, reset }));
      // Where the counters cannot be asked, the ledger is what is known.
      const states = await limits.read(places).catch(() => []);
      const notified = await readNotified(summed);
      const found = new Map<string, PolicyBucket[]>();
      for (const [at, each] of summed.entries()) {
        const state = states[at];
        // A bucket that found no place of its own is counted in another one.
        const used = Math.max(each.amount, state?.bucket === each.bucket ? state.used : 0);
        const values = bucketValues(each.bucket, each.policy.groupBy);
        const list = found.get(each.policy.id) ?? [];
        if (used > 0)
          list.push({
            bucket: each.bucket,
            ...(values === undefined ? {} : { values }),
            used,
            notified: {
              threshold: notified.has(toId(each, 'threshold')),
              exhausted: notified.has(toId(each, 'exhausted')),
            },
          });
        found.set(each.policy.id, list);
      }
      return policies.map(({ id }) => found.get(id) ?? []);
    },

    async reset(policy, bucket) {
      const { id, name, unit, reset } = policy;
      const { start } = toWindow(reset, now());
      // First, so that what is reached right after the reset is reported.
      const notified = [toId({ policy, bucket }, 'threshold'), toId({ policy, bucket }, 'exhausted')];
      await store.write((writing) => releaseAudits(writing, notified, () => newId(now())));
      let had: number;
      try {
        had = await limits.reset({ policy: id, bucket, reset });
      } catch {
        throw gatewayError('limits-unavailable', { policy: JSON.stringify(name) });
      }
      if (had !== 0) ledger.adjust({ policy: id, bucket, unit, amount: -had, window: start });
      await ledger.flush();
    },
  };
};
