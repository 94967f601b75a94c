import type { LimitedAttempt, Limiter } from '../../../plugins/sdk/control-plane/limiter.ts';
import type { UsageRecord } from '../../../schema/usage/usage-record.ts';

/** How a reservation ended. */
export type ReservationEnd = { readonly kind: 'released' } | { readonly kind: 'settled'; readonly usage: UsageRecord };

export interface CountedAttempt {
  readonly attempt: LimitedAttempt;
  /** All ends that were reported, in order. There must be exactly one. */
  readonly ends: readonly ReservationEnd[];
}

export interface CountedRequest {
  readonly trace: string;
  readonly plan: string;
  /** The attempts that were granted. */
  readonly attempts: readonly CountedAttempt[];
  /** How often the end of the request was reported. */
  readonly ended: number;
  /** The reservations that were still open when the request ended. */
  readonly openAtEnd: number;
}

export interface CountingLimiterOptions {
  /** Throws or rejects with the error of a request that must not be routed. */
  readonly admit?: () => void | Promise<void>;
  /** Throws or rejects with the error of an attempt that must not be sent. `number` counts from 1 in a request. */
  readonly attempt?: (attempt: LimitedAttempt, number: number) => void | Promise<void>;
}

export interface CountingLimiter extends Limiter {
  readonly requests: readonly CountedRequest[];
}

/** Creates a limiter that records all calls. */
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
