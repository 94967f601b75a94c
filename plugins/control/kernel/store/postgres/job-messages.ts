import { errorText } from '../../../../../schema/text/error-text.ts';
import type { Failure } from '../failure.ts';
import { StoreError } from '../store.ts';
import { findSqlState } from './pg-error.ts';
import type { PoolOptions } from './pool.ts';

/** What the thread of jobs begins with: the database of which it has connections of its own. */
export interface JobThreadOptions extends Pick<PoolOptions, 'url' | 'where' | 'timeouts'> {
  /** Whether its jobs write in the turns of a store, after all others that do; those of a log take turns among themselves. */
  readonly inTurn: boolean;
}

/** What it is asked: to run a job, or to close its connection and end. */
export type JobQuestion =
  | { readonly kind: 'perform'; readonly id: number; readonly job: string; readonly bytes: Uint8Array }
  | { readonly kind: 'close' };

export interface JobAnswer {
  readonly id: number;
  readonly failure?: Failure;
}

/** What the other thread is told of an error. */
export const toJobFailure = (error: unknown): Failure => {
  const failure = { message: errorText(error), code: findSqlState(error) };
  return error instanceof StoreError ? { ...failure, store: true } : failure;
};
