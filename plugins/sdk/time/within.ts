import type { Timers } from '../http/in-process.ts';

/** Settles as the promise does, or rejects after `ms` milliseconds. */
export const within = <Value>(timers: Pick<Timers, 'after'>, ms: number, promise: Promise<Value>): Promise<Value> =>
  new Promise((resolve, reject) => {
    const stop = timers.after(ms, () => reject(new Error(`There was no result within ${ms} ms.`)));
    promise.then(resolve, reject).finally(stop);
  });
