import type { CheckHook } from './plan.ts';

/** Whether hooks may ask for one more attempt at an answer. Those in the background may not. */
export const retriesAnswers = (hooks: readonly CheckHook[]): boolean =>
  hooks.some(({ async, checks }) => !async && checks.some(({ retries }) => retries === true));
