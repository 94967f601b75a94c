import { correctionId } from '../correction-id.ts';
import type { Charge, CounterState, Granted, Refused } from '../limits.ts';
import { fromStateWords, toSentCharges, wordsOfState } from './charge-texts.ts';

/** What Redis is asked to decide, as its script reads it. */
export interface Decision {
  /** A JSON list. */
  readonly text: string;
  /** What the ledger is to get, as JSON; absent where the decision has no entry. */
  readonly entry?: string;
}

/** Without `ttlMs` and an entry nothing is reserved. */
export const lookDecision = (charges: readonly Charge[]): Decision => ({
  text: JSON.stringify(['look', toSentCharges(charges)]),
});

export const reserveDecision = (
  id: string,
  charges: readonly Charge[],
  { ttlMs, entry }: { readonly ttlMs: number; readonly entry: unknown },
): Decision => ({
  text: JSON.stringify(['reserve', id, ttlMs, toSentCharges(charges)]),
  entry: JSON.stringify(entry),
});

/** `epoch` is that in which the reservation was granted; empty if that is not known. */
export const settleDecision = (
  id: string,
  actual: readonly Charge[],
  { epoch, entry }: { readonly epoch: string; readonly entry: unknown },
): Decision => ({
  text: JSON.stringify(['settle', id, correctionId(id), epoch, toSentCharges(actual)]),
  entry: JSON.stringify(entry),
});

/** `epoch` as in `settleDecision`. */
export const releaseDecision = (id: string, epoch: string): Decision => ({
  text: JSON.stringify(['release', id, epoch]),
});

export const chargeDecision = (id: string, charges: readonly Charge[], entry: unknown): Decision => ({
  text: JSON.stringify(['charge', id, toSentCharges(charges)]),
  entry: JSON.stringify(entry),
});

/** The answer to a reservation or a look; undefined where it is neither granted nor refused. */
export const fromDecisionText = (charges: readonly Charge[], text: string): Granted | Refused | undefined => {
  const [kind, ...words] = text.split(' ');
  if (kind === 'granted') {
    const stateAt = (charge: Charge, index: number): CounterState =>
      fromStateWords(charge, words.slice(index * wordsOfState, (index + 1) * wordsOfState));
    return { kind, counters: charges.map(stateAt) };
  }
  const charge = charges[Number(words[0])];
  if (kind !== 'refused' || charge === undefined) return undefined;
  return { kind, counter: fromStateWords(charge, words.slice(1)) };
};
