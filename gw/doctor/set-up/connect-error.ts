import { once } from 'node:events';
import { connect } from 'node:net';
import { errorCode } from '../../../schema/text/error-code.ts';

/** Returns the code of the error with which a connection failed; undefined if it was made. */
export const connectError = async (
  to: { readonly host: string; readonly port: number },
  timeoutMs: number,
): Promise<string | undefined> => {
  const socket = connect(to);
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(timeoutMs) });
    return undefined;
  } catch (error) {
    return errorCode(error instanceof AggregateError ? error.errors[0] : error) ?? 'no answer';
  } finally {
    socket.on('error', () => {}).destroy();
  }
};
