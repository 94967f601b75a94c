import { startOfHour } from '../../../../../schema/durations.ts';
import type { Counter, Facts, LedgerRecord, RecordedAttempt, RecordedCharge } from '../record/ledger-record.ts';

interface Group {
  readonly at: number;
  attempt: RecordedAttempt | undefined;
  readonly charges: Map<string, RecordedCharge>;
}

const withoutLabels = (facts: Facts): Facts => ({ ...facts, prompt: null, metadata: '{}' });

/** Makes the key of what the attempts of a group have in common. */
const toKey = (attempt: RecordedAttempt | undefined): string =>
  attempt === undefined ? '' : JSON.stringify([startOfHour(attempt.at), attempt.nano_usd === null, attempt.facts]);

const addAttempts = (to: RecordedAttempt, attempt: RecordedAttempt): RecordedAttempt => ({
  ...to,
  requests: to.requests + attempt.requests,
  attempts: to.attempts + attempt.attempts,
  input_tokens: to.input_tokens + attempt.input_tokens,
  cache_read_tokens: to.cache_read_tokens + attempt.cache_read_tokens,
  cache_write_tokens: to.cache_write_tokens + attempt.cache_write_tokens,
  audio_tokens: to.audio_tokens + attempt.audio_tokens,
  output_tokens: to.output_tokens + attempt.output_tokens,
  reasoning_tokens: to.reasoning_tokens + attempt.reasoning_tokens,
  nano_usd: to.nano_usd === null ? null : to.nano_usd + (attempt.nano_usd ?? 0),
});

/** The largest sum that a group has. Attempts have at most 1e12 of anything, so that no sum is ever beyond the safe integers. */
const largestSum = 1e15;

const isLarge = (attempt: RecordedAttempt): boolean =>
  [attempt.input_tokens, attempt.cache_read_tokens, attempt.cache_write_tokens, attempt.audio_tokens]
    .concat(attempt.output_tokens, attempt.reasoning_tokens, attempt.nano_usd ?? 0)
    .some((sum) => Math.abs(sum) >= largestSum);

const isFull = ({ attempt, charges }: Group): boolean =>
  (attempt !== undefined && isLarge(attempt)) ||
  [...charges.values()].some(({ amount }) => Math.abs(amount) >= largestSum);

const chargeKey = ({ policy, bucket, unit }: Counter, window: number): string =>
  JSON.stringify([policy, bucket, unit, window]);

/**
 * Records that found no place in a queue, as fewer ones with the same sums: those of an hour that are alike are one, and lose
 * their ids and traces. Of the last half of the groups that fit, they also lose their labels and prompts.
 */
export class MergedRecords {
  readonly #most: number;
  #groups = new Map<string, Group>();
  #charges = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#groups.size;
  }

  /** False if there is no place for it either. */
  add({ at, attempt, charges }: LedgerRecord): boolean {
    const key = toKey(attempt);
    if (this.#groups.has(key) || this.#groups.size < this.#most / 2) return this.#addTo(key, { at, attempt, charges });
    if (attempt === undefined) return this.#groups.size < this.#most && this.#addTo(key, { at, attempt, charges });
    const plain = { ...attempt, facts: withoutLabels(attempt.facts) };
    const plainKey = toKey(plain);
    const hasRoom = this.#groups.has(plainKey) || this.#groups.size < this.#most;
    return hasRoom && this.#addTo(plainKey, { at, attempt: plain, charges });
  }

  /** Takes them all. `newId` makes an id for each. */
  takeAll(newId: () => string): readonly LedgerRecord[] {
    const groups = [...this.#groups.values()];
    this.#groups = new Map();
    this.#charges = 0;
    return groups.map(({ at, attempt, charges }) => {
      const record = { id: newId(), at, charges: [...charges.values()] };
      return attempt === undefined ? record : { ...record, attempt: { ...attempt, trace: '' } };
    });
  }

  #addTo(
    key: string,
    { at, attempt, charges }: Pick<LedgerRecord, 'at' | 'charges'> & Pick<Group, 'attempt'>,
  ): boolean {
    const group = this.#groups.get(key) ?? { at, attempt: undefined, charges: new Map<string, RecordedCharge>() };
    const keys = charges.map(({ counter, window }) => chargeKey(counter, window));
    const added = keys.filter((each) => !group.charges.has(each)).length;
    if (isFull(group) || this.#charges + added > 4 * this.#most) return false;
    this.#groups.set(key, group);
    this.#charges += added;
    if (attempt !== undefined)
      group.attempt = group.attempt === undefined ? attempt : addAttempts(group.attempt, attempt);
    for (const [place, charge] of charges.entries()) {
      const known = keys[place] ?? '';
      const amount = (group.charges.get(known)?.amount ?? 0) + charge.amount;
      group.charges.set(known, { ...charge, amount });
    }
    return true;
  }
}
