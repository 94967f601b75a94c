import { type ReadonlySignal, useSignal } from '@preact/signals';
import { type ApiError, asApiError } from './error.ts';

/** A change that a component makes; one runs at a time. */
export interface Change {
  readonly isBusy: ReadonlySignal<boolean>;
  /** Why the last change was refused. */
  readonly refusal: ReadonlySignal<ApiError | undefined>;
  /** Runs `change`. Never rejects. */
  readonly make: (change: () => Promise<void>) => Promise<void>;
}

/** @param onRefused receives a refusal instead of `refusal` */
export const useChange = (onRefused?: (refusal: ApiError) => void): Change => {
  const isBusy = useSignal(false);
  const refusal = useSignal<ApiError | undefined>(undefined);
  const make = async (change: () => Promise<void>): Promise<void> => {
    isBusy.value = true;
    refusal.value = undefined;
    try {
      await change();
    } catch (thrown) {
      const error = asApiError(thrown);
      if (onRefused === undefined) refusal.value = error;
      else onRefused(error);
    } finally {
      isBusy.value = false;
    }
  };
  return { isBusy, refusal, make };
};
