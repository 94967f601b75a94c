import { errorCode } from '../../../../../schema/text/error-code.ts';
import { errorText } from '../../../../../schema/text/error-text.ts';
import { StoreError } from '../store.ts';

/**
 * Classes of SQLSTATE that say that the database cannot be used now: the connection, who may connect and to what, resources,
 * an operator, the system, and a server that only answers reads (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
const awayClasses: readonly string[] = ['08', '28', '3D', '53', '57', '58'];
const readOnlyServer = '25006';

const sqlStatePattern = /^[0-9A-Z]{5}$/;

export const findSqlState = (error: unknown): string | undefined => {
  const code = errorCode(error);
  return code !== undefined && sqlStatePattern.test(code) ? code : undefined;
};

const isOfStatement = (error: unknown): boolean => {
  const state = findSqlState(error);
  if (state !== undefined) return !awayClasses.includes(state.slice(0, 2)) && state !== readOnlyServer;
  return error instanceof TypeError || error instanceof RangeError;
};

/** Several addresses of one host fail together, and the whole has no message. */
const readMessage = (error: unknown): string =>
  error instanceof AggregateError ? error.errors.map(readMessage).join('; ') : errorText(error);

/** Converts an error of PostgreSQL: a statement, which keeps its error, or the server, which makes a `StoreError`. */
export const toStoreError = (error: unknown, where: string): unknown => {
  if (error instanceof StoreError || isOfStatement(error)) return error;
  return new StoreError(
    `The store ${where} cannot be used: ${readMessage(error)}. Check that PostgreSQL runs there and lets this user in.`,
    { cause: error },
  );
};
