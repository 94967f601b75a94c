import type { GatewayError } from '../../../../schema/errors/errors.ts';
import { isConflict } from '../store/rows/is-conflict.ts';

/** Runs a write, and throws what `taken` makes where a unique name of it is taken, in place of the error of the store. */
export const mapConflict = async <Result>(taken: () => GatewayError, write: () => Promise<Result>): Promise<Result> => {
  try {
    return await write();
  } catch (error) {
    throw isConflict(error) ? taken() : error;
  }
};
