import { harmlessLength, jsonTextError } from '../../../schema/json/json-text-error.ts';

/** Returns why a body is not parsed although it may be JSON, as the end of a sentence. */
export const jsonError = (bytes: Buffer): string | undefined =>
  bytes.length <= harmlessLength ? undefined : jsonTextError(bytes.toString('latin1'));
