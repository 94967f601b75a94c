import { type ErrorCode, errorReport, GatewayError, gatewayError } from '../../schema/errors.ts';
import type { AnyRouteRow } from '../sdk/route-row.ts';
import { BlobError } from './files/blobs/blob-error.ts';
import { SecretError } from './secrets/secret-error.ts';
import { isMissingReference } from './store/is-conflict.ts';
import { StoreError } from './store/store.ts';
import { withRecovery } from './with-recovery.ts';

/** The caller is told what it can do, and the operator's log has the sentence of the cause. */
const unavailable = (code: Extract<ErrorCode, `${string}-unavailable` | 'file-damaged'>, cause: Error) =>
  new GatewayError(errorReport(code, {}), { cause: cause.message });

const goneMeanwhile = {
  fact: 'Something that this request needs was deleted at the same time.',
  suggestion: 'See whether its workspace is still there, and send the request again.',
};

const toGatewayError = (error: unknown): GatewayError | undefined => {
  if (isMissingReference(error)) return gatewayError('conflict', goneMeanwhile);
  if (error instanceof StoreError) return unavailable('store-unavailable', error);
  if (error instanceof BlobError)
    return unavailable(error.fault === 'damaged' ? 'file-damaged' : 'files-unavailable', error);
  return error instanceof SecretError ? unavailable('secrets-unavailable', error) : undefined;
};

/** Routes that answer 503 where the store cannot be reached, has no master key or cannot keep its files, and 409 where what a write refers to is gone. */
export const withStoreFailures = (rows: readonly AnyRouteRow[]): readonly AnyRouteRow[] =>
  withRecovery(rows, (error) => {
    throw toGatewayError(error) ?? error;
  });
