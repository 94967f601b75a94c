import type { Duplex } from 'node:stream';
import { type ErrorReport, errorReport } from '../../schema/errors.ts';
import { plainError } from './plain-error.ts';
import { newTraceId } from './trace-id.ts';

const reportFor = (code: unknown, headerBytes: number): ErrorReport =>
  code === 'HPE_HEADER_OVERFLOW'
    ? errorReport('header-too-large', { header: 'section', limit: headerBytes })
    : errorReport('invalid-header', { header: 'section', reason: 'the request is not HTTP/1.1 as RFC 9112 has it.' });

/** Answers what node:http could not read as a request, and ends the connection. */
export const answerBadRequest = (error: NodeJS.ErrnoException, socket: Duplex, headerBytes: number): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const report = reportFor(error.code, headerBytes);
  const { status } = report;
  const body = plainError(report);
  socket.end(
    [
      `HTTP/1.1 ${status} ${status === 431 ? 'Request Header Fields Too Large' : 'Bad Request'}`,
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-gw-trace-id: ${newTraceId()}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
};
