import type { ErrorReport } from '../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';

/**
 * Writes `{"type": "error", "error": {type, message}}`, with the gateway's code added. The gateway's own errors have the same types in
 * every format, such as `network_error`, so that programs recognise them whichever format they use.
 */
export const encodeError = ({ type, message, code }: ErrorReport): JsonObject => ({
  type: 'error',
  error: { type, message, code },
});
