import type { ErrorReport } from '../../../schema/errors.ts';
import type { JsonObject } from '../../../schema/json.ts';

/** `{"message": …}`, with the gateway's code beside it: https://docs.cohere.com/reference/errors */
export const encodeError = ({ message, code }: ErrorReport): JsonObject => ({ message, code });
