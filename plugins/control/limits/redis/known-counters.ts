import { admits } from '../admits.ts';
import type { Charge, CounterState } from '../limits.ts';

/** What the answers of Redis have told this process of counters. */
export interface KnownCounters {
  /**
   * The counters, as they were told, where each of them admits its charge by what is known of it; undefined where one of them
   * does not, or was not told of lately, so that Redis is to be asked.
   */
  admitting(charges: readonly Charge[]): readonly CounterState[] | undefined;
  told(charge: Charge, state: CounterState): void;
  /** One of them is full. */
  refused(charges: readonly Charge[]): void;
  /** What this process has charged since then, which is looked at as if nothing had been reserved for it. */
  charged(charges: readonly Charge[]): void;
}

interface Known {
  state: CounterState;
  /** By the monotonic clock. */
  at: number;
  charged: number;
}

/** Milliseconds after which Redis is asked again, whatever it has said: others may have filled a counter since. */
const trustedMs = 1000;

/** Of one more, the first is forgotten, for which Redis is asked again. */
const most = 20_000;

const keyOf = ({ policy, bucket }: Pick<Charge, 'policy' | 'bucket'>): string => `${policy} ${bucket}`;

/** `now` is monotonic, in milliseconds. */
export const knownCounters = (now: () => number): KnownCounters => {
  const known = new Map<string, Known>();

  const add = (key: string, added: Known): void => {
    known.set(key, added);
    if (known.size <= most) return;
    const [first] = known.keys();
    if (first !== undefined) known.delete(first);
  };

  return {
    admitting(charges) {
      const oldest = now() - trustedMs;
      const states: CounterState[] = [];
      for (const charge of charges) {
        const of = known.get(keyOf(charge));
        if (of === undefined || of.at < oldest) return undefined;
        const { used, reserved } = of.state;
        if (!admits(charge, { used: used + of.charged, reserved })) return undefined;
        states.push({ ...of.state, limit: charge.limit });
      }
      return states;
    },
    told(charge, state) {
      const key = keyOf(charge);
      const of = known.get(key);
      if (of === undefined) return add(key, { state, at: now(), charged: 0 });
      of.state = state;
      of.at = now();
      of.charged = 0;
    },
    refused(charges) {
      for (const charge of charges) known.delete(keyOf(charge));
    },
    charged(charges) {
      for (const charge of charges) {
        const of = known.get(keyOf(charge));
        if (of !== undefined) of.charged += charge.amount;
      }
    },
  };
};
