import type { Duplex } from 'node:stream';
import { STATUS_CODES } from '../../../plugins/sdk/http/node-http.ts';
import type { ErrorReport } from '../../../schema/errors/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import { endAfterReading } from '../body/drain-body.ts';
import { newTraceId } from '../exchange/trace-id.ts';
import { plainErrorText } from './plain-error-text.ts';

/** Returns an error as the bytes of a whole answer that ends its connection. */
export const rawError = (report: ErrorReport): string => {
  const body = plainErrorText(report);
  return [
    `HTTP/1.1 ${report.status} ${STATUS_CODES[report.status]}`,
    'content-type: application/json',
    'cache-control: no-store',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-gw-trace-id: ${newTraceId()}`,
    'connection: close',
    '',
    body,
  ].join('\r\n');
};

/** Writes an error to a socket for which node:http has no response object, and ends the connection like `endAfterReading`. */
export const endWithError = (socket: Duplex, report: ErrorReport, clock: Pick<Clock, 'after'>): void => {
  socket.write(rawError(report));
  endAfterReading(socket, clock);
};
