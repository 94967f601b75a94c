import { errorReport, GatewayError } from '../../../../schema/errors/errors.ts';
import { errorText } from '../../../../schema/text/error-text.ts';
import type { Clock } from '../../../sdk/clock.ts';
import { inTime } from './in-time.ts';
import { StoreError } from './store.ts';

/** The cause is a sentence for the operator: a stack would say nothing more. */
export const storeUnavailable = (cause?: string): GatewayError =>
  new GatewayError(errorReport('store-unavailable', {}), { cause });

export const isUnavailable = (error: unknown): boolean =>
  error instanceof GatewayError && error.report.code === 'store-unavailable';

/**
 * Creates a function that waits for an answer of the store. It rejects with the `GatewayError` `store-unavailable` if the store
 * is unavailable.
 */
export const createStoreAsker =
  ({
    clock,
    onUnavailable,
  }: {
    readonly clock: Clock;
    /** Called when the store could not be reached, or did not answer in time. */
    readonly onUnavailable: () => void;
  }) =>
  async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
    try {
      return await inTime(clock, 'what is saved', answer);
    } catch (cause) {
      if (!(cause instanceof StoreError)) throw cause;
      onUnavailable();
      throw storeUnavailable(errorText(cause));
    }
  };
