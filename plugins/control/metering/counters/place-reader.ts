import type { Reset } from '../../kernel/limits/limit-policy.ts';
import type { SentPlace } from './decision-texts.ts';
import type { Charge } from './limits.ts';

/** A counter that the charges of a batch refer to. */
export type CountedPlace = Omit<Charge, 'amount'>;

/** The maximum number of resets that are cached. All of them are then dropped together. */
const maxResets = 10_000;

/** Reads counters from messages. A reset that was read before is the same object, so that its window is found quickly. */
export class PlaceReader {
  readonly #resets = new Map<string, Reset>();

  read([policy, bucket, unit, limit, every, days, from]: SentPlace): CountedPlace {
    return { policy, bucket, unit, limit, reset: this.#toReset(every, days, from) };
  }

  #toReset(every: Reset['every'], days = 0, from = 0): Reset {
    const key = `${every} ${days} ${from}`;
    const known = this.#resets.get(key);
    if (known !== undefined) return known;
    const reset: Reset = every === 'days' ? { every, days, from } : { every };
    if (this.#resets.size === maxResets) this.#resets.clear();
    this.#resets.set(key, reset);
    return reset;
  }
}

/** Reads the charges of a decision, which are numbers of counters and amounts, starting at one of its words. */
export const toCharges = (
  words: readonly (string | number)[],
  { at, places }: { readonly at: number; readonly places: readonly CountedPlace[] },
): readonly Charge[] => {
  const charges: Charge[] = [];
  for (let word = at; word < words.length; word += 2) {
    const place = places[Number(words[word])];
    if (place !== undefined) charges.push({ ...place, amount: Number(words[word + 1]) });
  }
  return charges;
};
