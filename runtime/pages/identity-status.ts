import type { Identities } from '../../plugins/sdk/control-plane/identities.ts';
import type { GenerationsStatus } from '../generations/generations.ts';
import type { Clock } from '../ports/clock.ts';

/** Milliseconds after which what was not confirmed again may be out of date. */
export const freshMs = 5_000;

const agedReason = (at: number, ageMs: number): string => {
  const since = at === 0 ? 'never' : `last ${Math.floor(ageMs / 1000)} s ago`;
  return `The service keys were ${since} confirmed, so that changes of keys may be unknown here. Check that this process reaches the store of the control plane.`;
};

/** The status of a gateway whose keys come from `identities`: `degraded` while they may be out of date, never worse. */
export const withIdentityStatus = (
  status: GenerationsStatus,
  { confirmedAt }: Identities,
  clock: Pick<Clock, 'wall'>,
): GenerationsStatus => {
  if (confirmedAt === undefined || status.status === 'not-ready') return status;
  const at = confirmedAt();
  const ageMs = clock.wall() - at;
  return ageMs > freshMs ? { ...status, status: 'degraded', reason: agedReason(at, ageMs) } : status;
};
