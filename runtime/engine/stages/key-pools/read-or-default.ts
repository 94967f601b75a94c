import { GatewayError } from '../../../../schema/errors/errors.ts';

/**
 * Reads something from a body, or returns another value if the body cannot be read. Its provider will report what is wrong with
 * it.
 */
export const readOrDefault = <Value>(other: Value, read: () => Value): Value => {
  try {
    return read();
  } catch (error) {
    if (error instanceof GatewayError) return other;
    throw error;
  }
};
