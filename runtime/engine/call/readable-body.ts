import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import { GatewayError } from '../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../schema/json/json.ts';

/** Returns the body of a modelled request. Undefined if it cannot be read, which is left to its provider. */
export const readableBody = (exchange: Exchange): JsonObject | undefined => {
  const { route, request } = exchange;
  if (route.operation === 'opaque' || request.body.kind !== 'bytes') return undefined;
  try {
    return exchange.json();
  } catch (error) {
    if (error instanceof GatewayError) return undefined;
    throw error;
  }
};
