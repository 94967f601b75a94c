import type { Duplex } from 'node:stream';
import { type ErrorReport, errorReport } from '../../../schema/errors/errors.ts';
import { endWithError } from '../../http/answer/raw-error.ts';
import { canAnswer } from './current-answer.ts';

const reportFor = (code: string, headerBytes: number): ErrorReport | undefined => {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return errorReport('request-stalled', {});
  if (code === 'HPE_HEADER_OVERFLOW') return errorReport('header-too-large', { header: 'section', limit: headerBytes });
  if (code.includes('CHUNK'))
    return errorReport('invalid-header', {
      header: 'transfer-encoding',
      reason: 'its chunks do not follow RFC 9112.',
    });
  return code.startsWith('HPE_')
    ? errorReport('invalid-header', { header: 'section', reason: 'the request is not valid HTTP/1.1 (RFC 9112).' })
    : undefined;
};

/** Answers a request that node:http could not parse, and ends the connection. */
export const answerBadRequest = (
  { code = '' }: NodeJS.ErrnoException,
  socket: Duplex & { isPaused(): boolean },
  headerBytes: number,
): void => {
  // A connection is not read while requests on it are queued, so the next one cannot arrive in time.
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.isPaused()) return;
  const report = reportFor(code, headerBytes);
  if (report === undefined || !canAnswer(socket)) socket.destroy();
  else endWithError(socket, report);
};
