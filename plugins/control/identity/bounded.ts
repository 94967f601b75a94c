import type { Clock } from './clock.ts';

/** What a promise resolves to; rejects if that takes longer than `ms` milliseconds. */
export const bounded = <Value>(promise: Promise<Value>, ms: number, clock: Clock): Promise<Value> => {
  const { promise: first, resolve, reject } = Promise.withResolvers<Value>();
  const stop = clock.after(ms, () => reject(new Error(`The store did not answer within ${ms} ms.`)));
  promise.then(resolve, reject).finally(stop);
  return first;
};
