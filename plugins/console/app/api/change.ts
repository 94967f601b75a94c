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

export const useChange = (): Change => {
  const isBusy = useSignal(false);
  const refusal = useSignal<ApiError | undefined>(undefined);
  const make = async (change: () => Promise<void>): Promise<void> => {
    isBusy.value = true;
    refusal.value = undefined;
    try {
      await change();
    } catch (thrown) {
      refusal.value = asApiError(thrown);
    } finally {
      isBusy.value = false;
    }
  };
  return { isBusy, refusal, make };
};
