import type { ErrorReport } from '../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { defined } from '../../shared/json/defined.ts';

const ofStatus: ReadonlyMap<number, string> = new Map([
  [401, 'AccessDeniedException'],
  [403, 'AccessDeniedException'],
  [404, 'ResourceNotFoundException'],
  [408, 'ModelTimeoutException'],
  [424, 'ModelErrorException'],
  [429, 'ThrottlingException'],
  [503, 'ServiceUnavailableException'],
  [504, 'ModelTimeoutException'],
  [529, 'ServiceUnavailableException'],
]);

/** Returns the exception for an HTTP status. */
export const toName = (status: number): string =>
  ofStatus.get(status) ?? (status >= 500 ? 'InternalServerException' : 'ValidationException');

/** Writes the body of an error. The vendor's clients read its kind from a header, or else from `__type`. */
export const errorBody = (name: string, message: string, reason: string | undefined): JsonObject =>
  defined({ __type: name, message, reason });

/** Writes `{"__type", "message"}` as Bedrock does, with the gateway's code as the reason. */
export const encodeError = ({ status, message, code }: ErrorReport): JsonObject =>
  errorBody(toName(status), message, code);
