import { isUtf8 } from 'node:buffer';
import { gatewayError } from '../../../schema/errors/errors.ts';
import { fromExactJson } from '../../../schema/json/exact-numbers.ts';
import type { Json } from '../../../schema/json/json.ts';
import { jsonProblem } from '../../../schema/json/json-problem.ts';
import { jsonError } from './json-error.ts';

/**
 * Reads the value of a JSON body, and keeps the numbers as they were written for `withExactNumbers`. Throws the `GatewayError`
 * `malformed-body`.
 */
export const readJsonBytes = (bytes: Buffer): Json => {
  const reason = isUtf8(bytes) ? jsonError(bytes) : 'it is not UTF-8.';
  if (reason !== undefined) throw gatewayError('malformed-body', { reason });
  const text = bytes.toString();
  try {
    return fromExactJson(text);
  } catch (error) {
    throw gatewayError('malformed-body', { reason: jsonProblem(text, error) });
  }
};
