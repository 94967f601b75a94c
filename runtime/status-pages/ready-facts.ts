import type { Identities } from '../../plugins/sdk/control-plane/identities.ts';
import type { StoreStatus } from '../../plugins/sdk/control-plane/store-status.ts';
import type { OverloadStatus } from '../../plugins/sdk/overload/overload.ts';
import type { GenerationsStatus } from '../file-plans/generations.ts';
import type { Clock } from '../ports/clock.ts';
import type { AlertStatus } from './alert-status.ts';
import { freshMs, type ShownStore, withStoreStatus } from './store-status.ts';

const agedReason = (at: number, ageMs: number): string => {
  const since = at === 0 ? 'never confirmed' : `last confirmed ${Math.floor(ageMs / 1000)} s ago`;
  return `The service keys were ${since}, so changes to keys may not be known here. Check that this process can reach the control plane's store.`;
};

/** Returns the status of a gateway whose keys come from `identities`: `degraded` while they may be out of date, never worse. */
const withIdentityStatus = (
  status: GenerationsStatus,
  { confirmedAt }: Identities,
  clock: Pick<Clock, 'wall'>,
): GenerationsStatus => {
  if (confirmedAt === undefined || status.status === 'not-ready') return status;
  const at = confirmedAt();
  const ageMs = clock.wall() - at;
  return ageMs > freshMs ? { ...status, status: 'degraded', reason: agedReason(at, ageMs) } : status;
};

/** The whole of `/readyz`. */
export interface ReadyFacts extends Omit<GenerationsStatus, 'status'> {
  readonly status: GenerationsStatus['status'] | 'draining';
  readonly store?: ShownStore;
  readonly alerts?: readonly AlertStatus[];
  readonly overload?: OverloadStatus;
}

/** Adds what other processes report that serve together with this one. */
export type JoinReady = (own: ReadyFacts) => Promise<ReadyFacts>;

export interface ReadyFactsOptions {
  readonly status: () => GenerationsStatus;
  readonly draining: () => boolean;
  readonly clock: Pick<Clock, 'wall'>;
  /** Set if there are service keys. */
  readonly identities?: Identities | undefined;
  /** Set if there is a store. */
  readonly storeStatus?: (() => StoreStatus) | undefined;
  /** Set if there are receivers of alerts. */
  readonly alerts?: (() => readonly AlertStatus[]) | undefined;
  /** Set if there is overload protection. */
  readonly overload?: (() => OverloadStatus) | undefined;
}

/** Reads the state of this process, as `/readyz` shows it. */
export const readyFacts =
  ({ status, draining, clock, identities, storeStatus, alerts, overload }: ReadyFactsOptions): (() => ReadyFacts) =>
  () => {
    const known = identities === undefined ? status() : withIdentityStatus(status(), identities, clock);
    const now = storeStatus === undefined ? known : withStoreStatus(known, storeStatus(), clock);
    const alerted = alerts === undefined ? now : { ...now, alerts: alerts() };
    const whole = overload === undefined ? alerted : { ...alerted, overload: overload() };
    return draining() ? { ...whole, status: 'draining' } : whole;
  };
