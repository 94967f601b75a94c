import type { GatewayResponse } from '../../plugins/sdk/http/http.ts';
import { withoutServiceKeys } from '../../schema/credentials/without-service-keys.ts';
import { controlErrorCode, type ErrorReport } from '../../schema/errors/errors.ts';
import { fromPointer } from '../../schema/json/pointer.ts';
import { jsonHeaders } from '../engine/error-responses/error-response.ts';

/** Returns an error in the control plane's format. `param` is the first member that is wrong. */
export const controlError = (report: ErrorReport): GatewayResponse => {
  const { message, type, errors, diagnostics } = report;
  const [first] = errors ?? [];
  const body = {
    error: {
      message,
      type,
      param: first === undefined || first.pointer === '' ? null : fromPointer(first.pointer).join('.'),
      code: controlErrorCode(report),
      ...(errors === undefined ? {} : { errors }),
      ...(diagnostics === undefined ? {} : { diagnostics }),
    },
  };
  return {
    status: report.status,
    headers: report.headers === undefined ? jsonHeaders : [...jsonHeaders, ...report.headers],
    origin: 'gateway',
    cause: report.code,
    body: { kind: 'bytes', bytes: Buffer.from(withoutServiceKeys(JSON.stringify(body))) },
  };
};
