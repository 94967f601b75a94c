import { invalidInput } from '../../../schema/errors/invalid-input.ts';
import { isNonEmpty, type Json } from '../../../schema/json/json.ts';
import { readJsonBytes } from '../../body/read/read-json-bytes.ts';
import { duplicateMembers } from './duplicate-members.ts';

/**
 * The value of a JSON body. Throws the `GatewayError`s `malformed-body` and, where members occur twice or are called
 * `__proto__`, `invalid-input`.
 */
export const readJson = (bytes: Buffer): Json => {
  const value = readJsonBytes(bytes);
  const problems = duplicateMembers(bytes.toString());
  if (isNonEmpty(problems)) throw invalidInput(problems);
  return value;
};
