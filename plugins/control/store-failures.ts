import { type GatewayError, gatewayError } from '../../schema/errors.ts';
import type { AnyRouteRow } from '../sdk/route-row.ts';
import { SecretError } from './secrets/secret-error.ts';
import { StoreError } from './store/store.ts';

const toGatewayError = (error: unknown): GatewayError | undefined => {
  if (error instanceof StoreError) return gatewayError('store-unavailable', {});
  return error instanceof SecretError ? gatewayError('secrets-unavailable', {}) : undefined;
};

/** Routes that answer 503 where the store cannot be reached, or has no master key. */
export const withStoreFailures = (rows: readonly AnyRouteRow[]): readonly AnyRouteRow[] =>
  rows.map((row) => ({
    ...row,
    handle: async (input, context) => {
      try {
        return await row.handle(input, context);
      } catch (error) {
        throw toGatewayError(error) ?? error;
      }
    },
  }));
