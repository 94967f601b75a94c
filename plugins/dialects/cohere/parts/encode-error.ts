import type { ErrorReport } from '../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';

/** Writes `{"message": …}`, with the gateway's code added: https://docs.cohere.com/reference/errors */
export const encodeError = ({ message, code }: ErrorReport): JsonObject => ({ message, code });
