import type { LimitedAttempt, Limiter } from '../../plugins/sdk/control-plane/limiter.ts';
import type { UsageRecord } from '../../schema/usage/usage-record.ts';

/** What became of a reservation. */
export type ReservationEnd = { readonly kind: 'released' } | { readonly kind: 'settled'; readonly usage: UsageRecord };

export interface CountedAttempt {
  readonly attempt: LimitedAttempt;
  /** All ends that it was given, in order: there must be one. */
  readonly ends: readonly ReservationEnd[];
}

export interface CountedRequest {
  readonly trace: string;
  readonly plan: string;
  /** Those that were granted. */
  readonly attempts: readonly CountedAttempt[];
  /** How often it was told to have ended. */
  readonly ended: number;
  /** Reservations that were open when it was told to have ended. */
  readonly openAtEnd: number;
}

export interface CountingLimiterOptions {
  /** Throws, or rejects with, the error of a request that may not be routed. */
  readonly admit?: () => void | Promise<void>;
  /** Throws, or rejects with, the error of an attempt that may not be sent; `number` counts from 1 in a request. */
  readonly attempt?: (attempt: LimitedAttempt, number: number) => void | Promise<void>;
}

export interface CountingLimiter extends Limiter {
  readonly requests: readonly CountedRequest[];
}

/** A limiter that remembers all that it is told. */
export const createCountingLimiter = (options: CountingLimiterOptions = {}): CountingLimiter => {
  const requests: CountedRequest[] = [];
  return {
    requests,
    admit({ traceId: trace }, { name: plan }) {
      const attempts: { attempt: LimitedAttempt; ends: ReservationEnd[] }[] = [];
      const request = { trace, plan, attempts, ended: 0, openAtEnd: 0 };
      let asked = 0;
      const granted = (attempt: LimitedAttempt) => {
        const counted = { attempt, ends: [] as ReservationEnd[] };
        attempts.push(counted);
        return {
          settle: (usage: UsageRecord) => void counted.ends.push({ kind: 'settled', usage }),
          release: () => void counted.ends.push({ kind: 'released' }),
        };
      };
      const limited = {
        attempt: (attempt: LimitedAttempt) => {
          asked += 1;
          const waiting = options.attempt?.(attempt, asked);
          return waiting instanceof Promise ? waiting.then(() => granted(attempt)) : granted(attempt);
        },
        end: () => {
          request.ended += 1;
          request.openAtEnd = attempts.filter(({ ends }) => ends.length === 0).length;
        },
      };
      const counted = () => {
        requests.push(request);
        return limited;
      };
      const waiting = options.admit?.();
      return waiting instanceof Promise ? waiting.then(counted) : counted();
    },
  };
};
