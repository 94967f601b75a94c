import type { PostedCharge } from '../limits/limits.ts';
import type { LedgerRow } from '../store/tables.ts';
import type { LedgerRecord } from './ledger-record.ts';
import { hourMs } from './write-hours.ts';

interface Group {
  readonly at: number;
  row: LedgerRow | undefined;
  readonly charges: Map<string, PostedCharge>;
}

const withoutLabels = (row: LedgerRow): LedgerRow => ({ ...row, prompt: null, metadata: '{}' });

/** What the rows of a group have in common. */
const keyOf = (row: LedgerRow | undefined): string => {
  if (row === undefined) return '';
  const { organisation_id, workspace_id, key_id, config, prompt, provider, slug, model, answered_model } = row;
  return JSON.stringify([
    ...[Math.floor(row.at / hourMs), organisation_id, workspace_id, key_id, config, prompt, provider, slug, model],
    ...[answered_model, row.kind, row.tier, row.prices, row.nano_usd === null, row.metadata],
  ]);
};

const addRows = (to: LedgerRow, row: LedgerRow): LedgerRow => ({
  ...to,
  requests: to.requests + row.requests,
  attempts: to.attempts + row.attempts,
  input_tokens: to.input_tokens + row.input_tokens,
  cache_read_tokens: to.cache_read_tokens + row.cache_read_tokens,
  cache_write_tokens: to.cache_write_tokens + row.cache_write_tokens,
  audio_tokens: to.audio_tokens + row.audio_tokens,
  output_tokens: to.output_tokens + row.output_tokens,
  reasoning_tokens: to.reasoning_tokens + row.reasoning_tokens,
  nano_usd: to.nano_usd === null ? null : to.nano_usd + (row.nano_usd ?? 0),
});

/** The largest sum that a group has. Rows have at most 1e12 of anything, so that no sum is ever beyond the safe integers. */
const largestSum = 1e15;

const isFull = ({ row, charges }: Group): boolean =>
  (row !== undefined &&
    [row.input_tokens, row.cache_read_tokens, row.cache_write_tokens, row.audio_tokens, row.output_tokens]
      .concat(row.reasoning_tokens, row.nano_usd ?? 0)
      .some((sum) => Math.abs(sum) >= largestSum)) ||
  [...charges.values()].some(({ amount }) => Math.abs(amount) >= largestSum);

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
  add({ at, row, charges }: LedgerRecord): boolean {
    const key = keyOf(row);
    if (this.#groups.has(key) || this.#groups.size < this.#most / 2) return this.#addTo(key, { at, row, charges });
    if (row === undefined) return this.#groups.size < this.#most && this.#addTo(key, { at, row, charges });
    const plain = withoutLabels(row);
    const plainKey = keyOf(plain);
    const hasRoom = this.#groups.has(plainKey) || this.#groups.size < this.#most;
    return hasRoom && this.#addTo(plainKey, { at, row: plain, charges });
  }

  /** Takes them all. `newId` makes an id for each. */
  takeAll(newId: () => string): readonly LedgerRecord[] {
    const groups = [...this.#groups.values()];
    this.#groups = new Map();
    this.#charges = 0;
    return groups.map(({ at, row, charges }) => {
      const id = newId();
      const record = { id, at, charges: [...charges.values()] };
      return row === undefined ? record : { ...record, row: { ...row, id, trace: '' } };
    });
  }

  #addTo(key: string, { at, row, charges }: Pick<LedgerRecord, 'at' | 'charges'> & Pick<Group, 'row'>): boolean {
    const group = this.#groups.get(key) ?? { at, row: undefined, charges: new Map<string, PostedCharge>() };
    const keys = charges.map(({ policy, bucket, unit, window }) => JSON.stringify([policy, bucket, unit, window]));
    const added = keys.filter((each) => !group.charges.has(each)).length;
    if (isFull(group) || this.#charges + added > 4 * this.#most) return false;
    this.#groups.set(key, group);
    this.#charges += added;
    if (row !== undefined) group.row = group.row === undefined ? row : addRows(group.row, row);
    for (const [at, charge] of charges.entries()) {
      const chargeKey = keys[at] ?? '';
      const amount = (group.charges.get(chargeKey)?.amount ?? 0) + charge.amount;
      group.charges.set(chargeKey, { ...charge, amount });
    }
    return true;
  }
}
