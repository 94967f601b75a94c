import { isUtf8 } from 'node:buffer';
import { gatewayError } from '../../../schema/errors.ts';
import { fromJson } from '../../../schema/from-json.ts';
import { invalidInput } from '../../../schema/invalid-input.ts';
import { isNonEmpty, type Json } from '../../../schema/json.ts';
import { jsonProblem } from '../../../schema/json-problem.ts';
import { jsonFault } from '../../link/body/json-fault.ts';
import { duplicateMembers } from './duplicate-members.ts';

/**
 * The value of a JSON body. Throws the `GatewayError`s `malformed-body` and, where members occur twice or are called
 * `__proto__`, `invalid-input`.
 */
export const readJson = (bytes: Buffer): Json => {
  const fault = isUtf8(bytes) ? jsonFault(bytes) : 'it is not UTF-8.';
  if (fault !== undefined) throw gatewayError('malformed-body', { reason: fault });
  const text = bytes.toString();
  let value: Json;
  try {
    value = fromJson(text);
  } catch (error) {
    throw gatewayError('malformed-body', { reason: jsonProblem(text, error) });
  }
  const problems = duplicateMembers(text);
  if (isNonEmpty(problems)) throw invalidInput(problems);
  return value;
};
