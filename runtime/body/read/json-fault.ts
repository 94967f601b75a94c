import { harmlessLength, jsonTextFault } from '../../../schema/json/json-text-fault.ts';

/** Why a body is not parsed although it may be JSON, as the end of a sentence. */
export const jsonFault = (bytes: Buffer): string | undefined =>
  bytes.length <= harmlessLength ? undefined : jsonTextFault(bytes.toString('latin1'));
