import { errorReport, GatewayError } from '../../../../schema/errors/errors.ts';
import { errorText } from '../../../../schema/text/error-text.ts';
import type { Clock } from '../../../sdk/clock.ts';
import { within } from '../../../sdk/time/within.ts';
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
    longestMs,
    onUnavailable,
  }: {
    readonly clock: Clock;
    /** How long to wait for one answer, in milliseconds. */
    readonly longestMs: number;
    /** Called when the store could not be reached, or did not answer in time. */
    readonly onUnavailable: () => void;
  }) =>
  async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
    let isAnswered = false;
    const answered = answer.finally(() => {
      isAnswered = true;
    });
    try {
      return await within(clock, longestMs, answered);
    } catch (cause) {
      if (isAnswered && !(cause instanceof StoreError)) throw cause;
      onUnavailable();
      throw storeUnavailable(errorText(cause));
    }
  };
