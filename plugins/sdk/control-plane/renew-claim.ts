import type { ClaimedRequest, IdempotencyStore } from './idempotency-store.ts';

/** How often a claim is renewed, in milliseconds. Shorter than the time after which claims expire. */
const renewEveryMs = 20_000;

interface RenewedClaim {
  readonly claim: Omit<ClaimedRequest, 'now'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Keeps a request claimed until the returned function is called. */
export const renewClaim = (kept: Pick<IdempotencyStore, 'renew'>, { claim, now }: RenewedClaim): (() => void) => {
  // A failed renewal is followed by the next one.
  const renew = () => void kept.renew({ ...claim, now: now() }).catch(() => {});
  const timer = setInterval(renew, renewEveryMs).unref();
  return () => clearInterval(timer);
};
