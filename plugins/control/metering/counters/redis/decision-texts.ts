import type { Charge, CounterState, Granted, Refused } from '../limits.ts';
import { fromStateWords, wordsOfState } from './charge-texts.ts';

/** What Redis is asked to decide. */
export interface Decision {
  /** What is done, and with what; see the script of each. */
  readonly head: readonly (string | number)[];
  readonly charges: readonly Charge[];
  /** What the ledger is to get, as JSON; absent where the decision has no entry. */
  readonly entry?: string;
}

/** Nothing is reserved. */
export const lookDecision = (charges: readonly Charge[]): Decision => ({ head: ['look'], charges });

export const reserveDecision = (
  id: string,
  charges: readonly Charge[],
  { ttlMs, entry }: { readonly ttlMs: number; readonly entry: unknown },
): Decision => ({ head: ['reserve', id, ttlMs], charges, entry: JSON.stringify(entry) });

/** `epoch` is that in which the reservation was granted; empty if that is not known. */
export const settleDecision = (
  id: string,
  actual: readonly Charge[],
  { epoch, entry }: { readonly epoch: string; readonly entry: unknown },
): Decision => ({ head: ['settle', id, epoch], charges: actual, entry: JSON.stringify(entry) });

const noCharges: readonly Charge[] = [];

/** `epoch` as in `settleDecision`. */
export const releaseDecision = (id: string, epoch: string): Decision => ({
  head: ['release', id, epoch],
  charges: noCharges,
});

export const chargeDecision = (id: string, charges: readonly Charge[], entry: unknown): Decision => ({
  head: ['charge', id],
  charges,
  entry: JSON.stringify(entry),
});

/** What Redis has granted. How full the counters are is read from its answer when somebody asks. */
class GrantedByRedis implements Granted {
  readonly kind = 'granted';
  readonly #charges: readonly Charge[];
  readonly #answer: string;
  #counters: readonly CounterState[] | undefined;

  constructor(charges: readonly Charge[], answer: string) {
    this.#charges = charges;
    this.#answer = answer;
  }

  get counters(): readonly CounterState[] {
    this.#counters ??= this.#read();
    return this.#counters;
  }

  #read(): readonly CounterState[] {
    const [, ...words] = this.#answer.split(' ');
    return this.#charges.map((charge, index) =>
      fromStateWords(charge, words.slice(index * wordsOfState, (index + 1) * wordsOfState)),
    );
  }
}

/** The answer to a reservation or a look; undefined where it is neither granted nor refused. */
export const fromDecisionText = (charges: readonly Charge[], text: string): Granted | Refused | undefined => {
  if (text.startsWith('granted')) return new GrantedByRedis(charges, text);
  const [kind, index, ...words] = text.split(' ');
  const charge = charges[Number(index)];
  if (kind !== 'refused' || charge === undefined) return undefined;
  return { kind, counter: fromStateWords(charge, words) };
};
