import { type Charge, type CounterState, type Granted, type Refused, sharedBucket } from '../limits.ts';

type Place = Pick<Charge, 'policy' | 'bucket' | 'reset'> & Partial<Charge>;

/** A counter that something is charged to as scripts read it, in JSON: a list in their order. */
type SentPlace = readonly (string | number)[];

/** A bucket may be a text that is not well-formed, which the JSON of Redis does not read. */
export const toSentPlace = ({ policy, bucket, unit, limit = 0, reset }: Place): SentPlace => {
  const sent = [policy, bucket.toWellFormed(), unit ?? '', limit, reset.every];
  return reset.every === 'days' ? [...sent, reset.days, reset.from] : sent;
};

/** The words with which scripts say what a counter has. */
const wordsOfState = 4;

/** A counter from its words: what is settled, what is reserved, its end, and whether it is the shared one. */
export const fromStateWords = (
  { policy, bucket, limit }: Pick<Charge, 'policy' | 'bucket' | 'limit'>,
  [used, reserved, end, place]: readonly string[],
): CounterState => ({
  policy,
  bucket: place === sharedBucket ? sharedBucket : bucket,
  used: Number(used),
  reserved: Number(reserved),
  limit,
  ...(end === '-' ? {} : { resetsAt: Number(end) }),
});

/** A decision that Redis is asked for. */
export interface Decision {
  /** The action and its arguments; see the script of each. */
  readonly head: readonly (string | number)[];
  readonly charges: readonly Charge[];
  /** The entry for the ledger, as JSON; absent where the decision has no entry. */
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

/** A grant of Redis. How full the counters are is read from its answer when somebody asks. */
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
