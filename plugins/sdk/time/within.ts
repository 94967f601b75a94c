import type { Timers } from '../http/in-process.ts';

/** Settles as the promise does, or rejects after `ms` milliseconds, with the error that `late` creates. */
export const within = <Value>(
  timers: Pick<Timers, 'after'>,
  ms: number,
  promise: Promise<Value>,
  late: () => Error = () => new Error(`There was no result within ${ms} ms.`),
): Promise<Value> =>
  new Promise((resolve, reject) => {
    const stop = timers.after(ms, () => reject(late()));
    promise.then(resolve, reject).finally(stop);
  });
