import type { ErrorReport } from '../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';

/** Writes `{"error": {message, type, param, code}}`: https://platform.openai.com/docs/guides/error-codes/api-errors */
export const encodeError = ({ message, type, code }: ErrorReport): JsonObject => ({
  error: { message, type, param: null, code },
});
