import type { IncomingMessage } from 'node:http';
import { errorReport } from '../../../schema/errors/errors.ts';
import { plainErrorText } from '../../http/answer/plain-error-text.ts';
import { newTraceId } from '../../http/exchange/trace-id.ts';
import { readAbsoluteForm } from './absolute-form.ts';
import type { RequestListener } from './request-listener.ts';

/** What is wrong with the `Host` lines of a request (RFC 9112 §3.2). */
const hostFault = ({ rawHeaders, httpVersion }: IncomingMessage): string | undefined => {
  let lines = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') lines += 1;
  if (lines > 1) return 'it occurs more than once.';
  return lines === 0 && httpVersion === '1.1' ? 'it is missing.' : undefined;
};

/** Refuses requests with no `Host`, or with several: a later reader might use another one than was checked. The authority of an absolute target takes its place. */
export const requireHost =
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    const reason = hostFault(request) ?? readAbsoluteForm(request);
    if (reason === undefined) {
      listener(request, response);
      return;
    }
    const report = errorReport('invalid-header', { header: 'host', reason });
    response.writeHead(report.status, {
      'content-type': 'application/json',
      'x-gw-trace-id': newTraceId(),
      connection: 'close',
    });
    response.end(plainErrorText(report));
  };
