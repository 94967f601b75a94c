import { isUtf8 } from 'node:buffer';
import { gatewayError } from '../../../schema/errors.ts';
import { fromJson } from '../../../schema/from-json.ts';
import type { Json } from '../../../schema/json.ts';
import { jsonProblem } from '../../../schema/json-problem.ts';
import { jsonFault } from '../../body/read/json-fault.ts';

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
