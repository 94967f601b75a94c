import type { Route } from '../sdk/exchange/exchange.ts';

/**
 * Returns the kind of endpoint that a request called: the dialect of an endpoint that the gateway models, `pass_through`, or
 * `control`.
 */
export const toEndpoint = ({ operation, dialect = operation, isControl }: Route): string => {
  if (isControl === true) return 'control';
  return operation === 'opaque' ? 'pass_through' : dialect;
};
