import type { ClaimedRequest, IdempotencyStore } from './idempotency-store.ts';

/** How often others are notified that a request is running, in milliseconds: more often than a claim is given up. */
const renewEveryMs = 20_000;

interface RenewedClaim {
  readonly claim: Omit<ClaimedRequest, 'now'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Keeps a request claimed until what this returns is called. */
export const renewClaim = (kept: Pick<IdempotencyStore, 'renew'>, { claim, now }: RenewedClaim): (() => void) => {
  // One that fails is followed by the next one.
  const renew = () => void kept.renew({ ...claim, now: now() }).catch(() => {});
  const timer = setInterval(renew, renewEveryMs).unref();
  return () => clearInterval(timer);
};
