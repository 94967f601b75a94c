import type { LedgerRow } from '../store/tables.ts';
import { addSums, type Sums, toSums } from './summed-columns.ts';

/** A row that is new in the ledger, and what it adds to the sums. */
export interface BookedRow {
  readonly row: LedgerRow;
  readonly sums: Sums;
}

export const booked = (row: LedgerRow): BookedRow => ({ row, sums: toSums(row) });

/** The difference of what was used to what was estimated, at the time and of the caller of the estimate: both rows together are what was used. */
export const corrected = (estimate: LedgerRow, actual: LedgerRow): BookedRow => {
  const { attempts, requests } = estimate;
  const sums = addSums(toSums({ ...actual, attempts, requests }), toSums(estimate), -1);
  const { unpriced, reported, partial, estimated, none, nano_usd, ...used } = sums;
  const isPriced = actual.nano_usd !== null || estimate.nano_usd !== null;
  const { id, answered_model, kind, tier, prices, corrects } = actual;
  return {
    row: {
      ...estimate,
      ...{ id, answered_model, kind, tier, prices, corrects },
      ...used,
      nano_usd: isPriced ? nano_usd : null,
    },
    sums,
  };
};
