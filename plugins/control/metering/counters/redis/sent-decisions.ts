import type { Charge } from '../limits.ts';
import { type SentPlace, toSentPlace } from './charge-texts.ts';
import type { Decision } from './decision-texts.ts';

/** How many of the last counters a charge is compared with: most requests have the counters of those before them. */
const maxCompared = 8;

const isSame = (one: Charge, other: Charge): boolean =>
  one.policy === other.policy &&
  one.bucket === other.bucket &&
  one.unit === other.unit &&
  one.limit === other.limit &&
  one.reset === other.reset;

/** The counters that decisions are about, each of them once as far as it is seen at a glance. */
class Places {
  readonly #charges: Charge[] = [];

  /** The number of a charge's counter. */
  toNumber(charge: Charge): number {
    const { length } = this.#charges;
    for (let at = length - 1; at >= Math.max(0, length - maxCompared); at -= 1) {
      const known = this.#charges[at];
      if (known !== undefined && isSame(known, charge)) return at;
    }
    return this.#charges.push(charge) - 1;
  }

  get sent(): readonly SentPlace[] {
    return this.#charges.map(toSentPlace);
  }
}

/**
 * Decisions as the script reads them: a JSON list of the counters and of the decisions, each of which ends with numbers of
 * counters and the amounts; and the entries of those that have one, in their order, each with the end of its line.
 */
export const sentDecisions = (decisions: readonly Decision[]): readonly [string, string] => {
  const places = new Places();
  let entries = '';
  const sent = decisions.map(({ head, charges, entry }) => {
    const list = [...head];
    for (const charge of charges) list.push(places.toNumber(charge), charge.amount);
    if (entry !== undefined) entries += `${entry}\n`;
    return list;
  });
  return [JSON.stringify([places.sent, sent]), entries];
};
