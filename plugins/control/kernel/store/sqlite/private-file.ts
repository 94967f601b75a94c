import { closeSync, openSync } from 'node:fs';
import { errorCode } from '../../../../../schema/text/error-code.ts';

/**
 * Makes an empty file that its owner alone may read, if there is none; returns whether it did. A file that is there is not
 * even opened: closing it would end the locks that this process has on it.
 */
export const makePrivateFile = (file: string): boolean => {
  try {
    closeSync(openSync(file, 'wx', 0o600));
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
};
