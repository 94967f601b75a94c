import type { ErrorReport } from '../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';

/** Writes `{"type": "error", "error": {type, message}}`, with the gateway's code added. */
export const encodeError = ({ type, message, code }: ErrorReport): JsonObject => ({
  type: 'error',
  error: { type, message, code },
});
