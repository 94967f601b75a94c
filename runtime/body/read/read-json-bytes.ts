import { isUtf8 } from 'node:buffer';
import { gatewayError } from '../../../schema/errors/errors.ts';
import { fromJson } from '../../../schema/json/from-json.ts';
import type { Json } from '../../../schema/json/json.ts';
import { jsonProblem } from '../../../schema/json/json-problem.ts';
import { jsonFault } from './json-fault.ts';

/** Reads the value of a JSON body. Throws the `GatewayError` `malformed-body`. */
export const readJsonBytes = (bytes: Buffer): Json => {
  const fault = isUtf8(bytes) ? jsonFault(bytes) : 'it is not UTF-8.';
  if (fault !== undefined) throw gatewayError('malformed-body', { reason: fault });
  const text = bytes.toString();
  try {
    return fromJson(text);
  } catch (error) {
    throw gatewayError('malformed-body', { reason: jsonProblem(text, error) });
  }
};
