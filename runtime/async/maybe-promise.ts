/** A value, or a promise of it if something had to be waited for. Nearly every request waits for none of them. */
export type MaybePromise<Value> = Value | Promise<Value>;

/** Whether a value is a promise, of any implementation. */
export const isThenable = <Value>(value: MaybePromise<Value>): value is Promise<Value> =>
  typeof value === 'object' && value !== null && 'then' in value;

/** Continues with a value, synchronously if it is there. */
export const thenMaybe = <Value, Next>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Next>,
): MaybePromise<Next> => (value instanceof Promise ? value.then(next) : next(value));

const isAwaited = (value: unknown): boolean => value instanceof Promise;

const areReady = <Value>(values: readonly MaybePromise<Value>[]): values is readonly Value[] => !values.some(isAwaited);

/** Returns all values in order, synchronously if all are there. */
export const allMaybe = <Value>(values: readonly MaybePromise<Value>[]): MaybePromise<readonly Value[]> =>
  areReady(values) ? values : Promise.all(values);
