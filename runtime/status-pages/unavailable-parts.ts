import { type StorePart, type StoreStatus, storeParts } from '../../plugins/sdk/control-plane/store-status.ts';
import type { Clock } from '../ports/clock.ts';
import { isStoreUnavailable } from './store-status.ts';

/** Returns the parts of a store that a process cannot use. */
export const unavailableParts = (status: StoreStatus, clock: Pick<Clock, 'wall'>): ReadonlySet<StorePart> => {
  const isUnavailable: Readonly<Record<StorePart, boolean>> = {
    store: isStoreUnavailable(status, clock),
    writes: status.writeFailure !== undefined,
    ledger: status.ledgerFailure !== undefined,
    counters: status.countersUnavailable === true,
    log: status.log?.isUnavailable === true,
  };
  return new Set(storeParts.filter((part) => isUnavailable[part]));
};
