import type { CheckCall, CheckHook } from './plan.ts';

/** A hook as far as it says whether answers may be retried for it. */
export interface RetryingHook extends Pick<CheckHook, 'async'> {
  readonly checks: readonly Pick<CheckCall, 'retries'>[];
}

/** Whether hooks may ask for one more attempt at an answer. Those in the background may not. */
export const retriesAnswers = (hooks: readonly RetryingHook[]): boolean =>
  hooks.some(({ async, checks }) => !async && checks.some(({ retries }) => retries === true));
