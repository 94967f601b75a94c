import { GatewayError } from '../../../../schema/errors/errors.ts';

/** Reads something of a body, or gives another value if nobody can read that: its provider says what is wrong with it. */
export const readOr = <Value>(other: Value, read: () => Value): Value => {
  try {
    return read();
  } catch (error) {
    if (error instanceof GatewayError) return other;
    throw error;
  }
};
