import type { Duplex } from 'node:stream';
import { type ErrorReport, errorReport } from '../../schema/errors.ts';
import { plainErrorText } from './plain-error-text.ts';
import { newTraceId } from './trace-id.ts';

const reportFor = (code: string | undefined, headerBytes: number): ErrorReport =>
  code === 'HPE_HEADER_OVERFLOW'
    ? errorReport('header-too-large', { header: 'section', limit: headerBytes })
    : errorReport('invalid-header', { header: 'section', reason: 'the request is not HTTP/1.1 as RFC 9112 has it.' });

const answer = (report: ErrorReport): string => {
  const body = plainErrorText(report);
  return [
    `HTTP/1.1 ${report.status} ${report.status === 431 ? 'Request Header Fields Too Large' : 'Bad Request'}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-gw-trace-id: ${newTraceId()}`,
    'connection: close',
    '',
    body,
  ].join('\r\n');
};

/** Whether an answer to an earlier request is on its way: nothing may be written into it. node:http keeps it there. */
const isAnswering = (socket: Duplex & { readonly _httpMessage?: unknown }): boolean => socket._httpMessage != null;

/** Answers what node:http could not read as a request, and ends the connection. */
export const answerBadRequest = (error: NodeJS.ErrnoException, socket: Duplex, headerBytes: number): void => {
  if (!socket.writable || isAnswering(socket)) socket.destroy();
  else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT')
    socket.end('HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
  else if (error.code?.startsWith('HPE_')) socket.end(answer(reportFor(error.code, headerBytes)));
  else socket.destroy();
};
