import type { StoreStatus } from '../../plugins/sdk/store-status.ts';
import type { GenerationsStatus } from '../generations/generations.ts';
import type { Clock } from '../ports/clock.ts';
import { freshMs } from './identity-status.ts';

/** What `/readyz` shows of the store to keys of an organisation. */
export interface ShownStore {
  /** `away`: the store did not answer; what is known of it is served. */
  readonly status: 'ready' | 'away';
  /** The versions of what is served: two processes that show the same ones serve the same. */
  readonly feeds: StoreStatus['feeds'];
  /** Seconds since the epoch. */
  readonly confirmed_at: number;
}

const awayReason = (ageMs: number): string =>
  `The store of the control plane does not answer; what it said ${Math.floor(ageMs / 1000)} s ago is served. Check that this process reaches it.`;

const countersReason =
  'The Redis in which limits are counted does not answer; policies say what happens to requests. Check that this process reaches it.';

/** The status of a gateway that follows a store: `degraded` while the store or its counters are away, never worse. */
export const withStoreStatus = (
  status: GenerationsStatus,
  { isAway, feeds, confirmedAt, areCountersAway = false }: StoreStatus,
  clock: Pick<Clock, 'wall'>,
): GenerationsStatus & { readonly store: ShownStore } => {
  const ageMs = clock.wall() - confirmedAt;
  const away = isAway || ageMs > freshMs;
  const store: ShownStore = {
    status: away ? 'away' : 'ready',
    feeds,
    confirmed_at: Math.floor(confirmedAt / 1000),
  };
  if ((!away && !areCountersAway) || status.status === 'not-ready') return { ...status, store };
  const reason = away ? awayReason(ageMs) : countersReason;
  return { ...status, status: 'degraded', reason: status.reason ?? reason, store };
};
