import type { GatewayError } from '../../../schema/errors.ts';
import { isConflict } from '../store/is-conflict.ts';

/** Runs a write that may find a name taken, and throws what is said of that in place of the store's error. */
export const unlessTaken = async <Result>(taken: () => GatewayError, write: () => Promise<Result>): Promise<Result> => {
  try {
    return await write();
  } catch (error) {
    throw isConflict(error) ? taken() : error;
  }
};
