import { fromJson } from '../../../../schema/json/from-json.ts';
import type { Reset, Unit } from '../../kernel/limits/limit-policy.ts';
import type { EntryText, PostedCharge } from '../ledger/posting.ts';
import { type Charge, type CounterState, type Granted, type Refused, sharedBucket } from './limits.ts';

type Place = Pick<Charge, 'policy' | 'bucket' | 'reset'> & Partial<Charge>;

/** A counter in a message, as JSON: policy, bucket, unit, limit, and the members of its reset. */
export type SentPlace = readonly [
  policy: string,
  bucket: string,
  unit: Unit,
  limit: number,
  every: Reset['every'],
  days?: number,
  from?: number,
];

/**
 * A decision in a message, as JSON: its head, then the number of the end of its entry if it has one, then numbers of counters and
 * amounts.
 */
export type SentDecision = readonly [action: Action, ...rest: (string | number)[]];

type Action = 'reserve' | 'look' | 'settle' | 'release' | 'charge' | 'made';

/** A bucket may be a text that is not well-formed, which some JSON parsers reject. */
export const toSentPlace = ({ policy, bucket, unit = 'requests', limit = 0, reset }: Place): SentPlace => {
  const sent = [policy, bucket.toWellFormed(), unit, limit, reset.every] as const;
  return reset.every === 'days' ? [...sent, reset.days, reset.from] : sent;
};

/** The number of words that describe the state of a counter. */
const wordsOfState = 4;

/** Writes the words for the state of a counter, as the scripts of Redis do. */
export const stateText = ({ used, reserved, resetsAt, bucket }: CounterState): string =>
  `${used} ${reserved} ${resetsAt ?? '-'} ${bucket === sharedBucket ? sharedBucket : '='}`;

/**
 * Reads the state of a counter from its words: the settled amount, the reserved amount, its end, and whether it is the shared
 * one.
 */
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

/** A decision to request from another process. */
export interface Decision {
  /** The action and its arguments; see the script of each in `redis/decide.ts`. */
  readonly head: SentDecision;
  readonly charges: readonly Charge[];
  /** The entry for the ledger; absent if the decision has no entry. */
  readonly entry?: EntryText;
}

/** Checks charges without reserving anything. */
export const lookDecision = (charges: readonly Charge[]): Decision => ({ head: ['look'], charges });

export const reserveDecision = (
  id: string,
  charges: readonly Charge[],
  { ttlMs, entry }: { readonly ttlMs: number; readonly entry: EntryText },
): Decision => ({ head: ['reserve', id, ttlMs], charges, entry });

/** @param epoch the one in which the reservation was granted; empty if unknown */
export const settleDecision = (
  id: string,
  actual: readonly Charge[],
  { epoch, entry }: { readonly epoch: string; readonly entry: EntryText },
): Decision => ({ head: ['settle', id, epoch], charges: actual, entry });

const noCharges: readonly Charge[] = [];

/** @param epoch as in `settleDecision` */
export const releaseDecision = (id: string, epoch: string): Decision => ({
  head: ['release', id, epoch],
  charges: noCharges,
});

export const chargeDecision = (id: string, charges: readonly Charge[], entry: EntryText): Decision => ({
  head: ['charge', id],
  charges,
  entry,
});

/** Notes that the ledger has what was charged with an id. */
export const madeDecision = (id: string): Decision => ({ head: ['made', id], charges: noCharges });

const postedMark = 'posted ';

/** Writes the answer to a charge that the caller has to post. */
export const postedText = (posted: readonly PostedCharge[]): string => `${postedMark}${JSON.stringify(posted)}`;

/** Reads what `postedText` has written; returns undefined for any other answer. */
export const readPosted = (text: string): readonly PostedCharge[] | undefined =>
  text.startsWith(postedMark) ? fromJson(text.slice(postedMark.length)) : undefined;

/** A grant from another process. How full the counters are is parsed from its answer only if needed. */
class RemoteGrant implements Granted {
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

/** Parses the answer to a reservation or a look; returns undefined if it is neither granted nor refused. */
export const fromDecisionText = (charges: readonly Charge[], text: string): Granted | Refused | undefined => {
  if (text.startsWith('granted')) return new RemoteGrant(charges, text);
  const [kind, index, ...words] = text.split(' ');
  const charge = charges[Number(index)];
  if (kind !== 'refused' || charge === undefined) return undefined;
  return { kind, counter: fromStateWords(charge, words) };
};

/** How many of the last values a value is compared with. Most requests use the same counters as those before them. */
const maxCompared = 8;

const isSameCounter = (one: Charge, other: Charge): boolean =>
  one.policy === other.policy &&
  one.bucket === other.bucket &&
  one.unit === other.unit &&
  one.limit === other.limit &&
  one.reset === other.reset;

const isSameText = (one: string, other: string): boolean => one === other;

/** The values that decisions refer to by number, with most duplicates removed. */
class NumberedValues<Value> {
  readonly values: Value[] = [];
  readonly #isSame: (one: Value, other: Value) => boolean;

  constructor(isSame: (one: Value, other: Value) => boolean) {
    this.#isSame = isSame;
  }

  toNumber(value: Value): number {
    const { values } = this;
    for (let at = values.length - 1; at >= Math.max(0, values.length - maxCompared); at -= 1) {
      const known = values[at];
      if (known !== undefined && this.#isSame(known, value)) return at;
    }
    return values.push(value) - 1;
  }
}

/** The arguments of a script that makes decisions. */
export type SentDecisions = readonly [decisions: string, entries: string, ends: string];

/**
 * Writes decisions as a message: a JSON list of the counters and of the decisions; the entries of those that have one, in order,
 * one per line, without their shared ends; and these ends, one per line.
 */
export const sentDecisions = (decisions: readonly Decision[]): SentDecisions => {
  const counters = new NumberedValues<Charge>(isSameCounter);
  const ends = new NumberedValues<string>(isSameText);
  let entries = '';
  const sent: SentDecision[] = [];
  for (const { head, charges, entry } of decisions) {
    const list: [Action, ...(string | number)[]] = [...head];
    if (entry !== undefined) {
      entries += `${entry.own}\n`;
      list.push(ends.toNumber(entry.shared));
    }
    for (const charge of charges) list.push(counters.toNumber(charge), charge.amount);
    sent.push(list);
  }
  const lines = ends.values.map((end) => `${end}\n`).join('');
  return [JSON.stringify([counters.values.map(toSentPlace), sent]), entries, lines];
};
