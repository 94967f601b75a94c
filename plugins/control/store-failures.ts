import { type ErrorCode, errorReport, GatewayError, gatewayError } from '../../schema/errors/errors.ts';
import { invalidInput } from '../../schema/errors/invalid-input.ts';
import { rootPointer } from '../../schema/json/pointer.ts';
import type { IdempotencyStore } from '../sdk/control-plane/idempotency-store.ts';
import { BlobError } from './kernel/blobs/blob-storage.ts';
import { type ControlRoute, withRecovery } from './kernel/requests/control-route.ts';
import { SecretError } from './kernel/secrets/seal.ts';
import { isMissingReference, isUnsupportedText } from './kernel/store/rows/is-conflict.ts';
import { LogError, StoreError } from './kernel/store/store.ts';

/** The caller learns what it can do, and the operator's log has the sentence of the cause. */
const unavailable = (code: Extract<ErrorCode, `${string}-unavailable` | 'file-damaged'>, cause: Error) =>
  new GatewayError(errorReport(code, {}), { cause: cause.message });

const goneMeanwhile = {
  fact: 'Something that this request needs was deleted at the same time.',
  suggestion: 'See whether its workspace is still there, and send the request again.',
};

const foreignText = {
  pointer: rootPointer,
  message: 'A text of this request has the character U+0000, which the store cannot keep.',
  hint: 'Leave it out.',
};

const toGatewayError = (error: unknown): GatewayError | undefined => {
  if (isMissingReference(error)) return gatewayError('conflict', goneMeanwhile);
  if (isUnsupportedText(error)) return invalidInput([foreignText]);
  if (error instanceof LogError) return unavailable('log-unavailable', error);
  if (error instanceof StoreError) return unavailable('store-unavailable', error);
  if (error instanceof BlobError)
    return unavailable(error.error === 'damaged' ? 'file-damaged' : 'files-unavailable', error);
  return error instanceof SecretError ? unavailable('secrets-unavailable', error) : undefined;
};

/**
 * Routes that answer 503 where the store cannot be reached, has no master key, or cannot open its log or keep its files, 409
 * where what a write refers to is gone, and 400 where a text is none that the database can have.
 */
export const withStoreFailures = (rows: readonly ControlRoute[]): readonly ControlRoute[] =>
  withRecovery(rows, (error) => {
    throw toGatewayError(error) ?? error;
  });

/** Answers in the same way if a request with an `idempotency-key` cannot be claimed, which happens before its route is run. */
export const withClaimFailures = (replies: IdempotencyStore): IdempotencyStore => ({
  ...replies,
  async claim(request) {
    try {
      return await replies.claim(request);
    } catch (error) {
      throw toGatewayError(error) ?? error;
    }
  },
});
