import { errorCode } from '../../schema/text/error-code.ts';

/** Thrown if a package that a setting requires is not installed. The message names it, and how to install it. */
export class MissingPackage extends Error {
  override readonly name = 'MissingPackage';
}

/** Whether an import failed because the package is not installed. */
export const isMissingPackage = (error: unknown): boolean => errorCode(error) === 'ERR_MODULE_NOT_FOUND';
