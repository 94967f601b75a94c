import { ById } from '../by-id.ts';
import { admits, type Charge, type CounterState, type Granted } from '../limits.ts';

/** What the answers of Redis have told this process of counters. */
interface KnownCounters {
  /**
   * The counters, as they were told, where each of them admits its charge by what is known of it; undefined where one of them
   * does not, or was not told of lately, so that Redis is to be asked.
   */
  admitting(charges: readonly Charge[]): readonly CounterState[] | undefined;
  /** Redis has granted charges, and told of their counters. */
  granted(charges: readonly Charge[], answer: Granted): void;
  /** One of them is full. */
  refused(charges: readonly Charge[]): void;
  /** What this process has charged since then, which is looked at as if nothing had been reserved for it. */
  charged(charges: readonly Charge[]): void;
}

/** A counter, and the last answer that told of it, which is read when somebody looks. */
interface Known {
  answer: Granted;
  /** The place of the counter in it. */
  index: number;
  /** By the monotonic clock. */
  at: number;
  charged: number;
}

/** Milliseconds after which Redis is asked again, whatever it has said: others may have filled a counter since. */
const trustedMs = 1000;

/** Of one more, all are forgotten, for which Redis is asked again. */
const most = 20_000;

/** `now` is monotonic, in milliseconds. */
export const knownCounters = (now: () => number): KnownCounters => {
  /** By policy and bucket. */
  const known = new Map<string, Map<string, Known>>();
  let size = 0;

  const find = ({ policy, bucket }: Charge): Known | undefined => known.get(policy)?.get(bucket);

  const add = ({ policy, bucket }: Charge, added: Known): void => {
    if (size === most) {
      known.clear();
      size = 0;
    }
    size += 1;
    const ofPolicy = known.get(policy);
    if (ofPolicy === undefined) known.set(policy, new Map([[bucket, added]]));
    else ofPolicy.set(bucket, added);
  };

  return {
    admitting(charges) {
      const oldest = now() - trustedMs;
      const states: CounterState[] = [];
      for (const charge of charges) {
        const of = find(charge);
        if (of === undefined || of.at < oldest) return undefined;
        const state = of.answer.counters[of.index];
        if (state === undefined) return undefined;
        const { used, reserved } = state;
        if (!admits(charge, { used: used + of.charged, reserved })) return undefined;
        states.push(state.limit === charge.limit ? state : { ...state, limit: charge.limit });
      }
      return states;
    },
    granted(charges, answer) {
      const at = now();
      for (const [index, charge] of charges.entries()) {
        const of = find(charge);
        if (of === undefined) {
          add(charge, { answer, index, at, charged: 0 });
          continue;
        }
        of.answer = answer;
        of.index = index;
        of.at = at;
        of.charged = 0;
      }
    },
    refused(charges) {
      for (const charge of charges) {
        const of = find(charge);
        if (of !== undefined) of.at = Number.NEGATIVE_INFINITY;
      }
    },
    charged(charges) {
      for (const charge of charges) {
        const of = find(charge);
        if (of !== undefined) of.charged += charge.amount;
      }
    },
  };
};

/** What a process knows of its reservations: the epoch in which Redis granted one, or that nobody knows whether it did. */
interface GrantedIds {
  granted(id: string, epoch: string): void;
  unknown(id: string): void;
  /** The epoch, or nothing if that is not known; undefined if there is nothing to settle. Each id is taken once. */
  take(id: string): string | undefined;
}

interface KnownId {
  readonly id: string;
  epoch: string;
}

/**
 * So many, and those that came before them, up to as many again: far more than a process has in flight, for what is never
 * settled or released, as what a policy refuses.
 */
const maxIds = 100_000;

export const grantedIds = (): GrantedIds => {
  let latest = new ById<KnownId>();
  let earlier = new ById<KnownId>();

  const find = (id: string): KnownId | undefined => latest.get(id) ?? earlier.get(id);

  const set = (id: string, epoch: string): void => {
    const known = find(id);
    if (known !== undefined) {
      known.epoch = epoch;
      return;
    }
    if (latest.size === maxIds) {
      earlier = latest;
      latest = new ById();
    }
    latest.add({ id, epoch });
  };

  return {
    granted: set,
    unknown(id) {
      if (find(id) === undefined) set(id, '');
    },
    take: (id) => (latest.take(id) ?? earlier.take(id))?.epoch,
  };
};
