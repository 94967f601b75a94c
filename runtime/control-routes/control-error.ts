import type { GatewayResponse } from '../../plugins/sdk/http/http.ts';
import { withoutServiceKeys } from '../../schema/credentials/without-service-keys.ts';
import type { ErrorCode, ErrorReport } from '../../schema/errors/errors.ts';
import { fromPointer } from '../../schema/json/pointer.ts';
import { jsonHeaders } from '../engine/responses/error-response.ts';

/** The codes of the control plane's errors, by status; an error with another status has its own code. */
const codes: ReadonlyMap<number, string> = new Map([
  [400, 'AB01'],
  [401, 'AB05'],
  [403, 'AB03'],
  [404, 'AB08'],
  [409, 'AB07'],
  [429, 'AB06'],
  [500, 'AB04'],
]);

/**
 * The codes of refused requests to providers, which are the same on all paths, whether the control plane serves them or
 * not.
 */
const ownCodes: ReadonlySet<string> = new Set<ErrorCode>(['credential-origin-mismatch']);

/** The code of an error in the answers of the control plane. */
export const controlErrorCode = ({ status, code }: Pick<ErrorReport, 'status' | 'code'>): string =>
  ownCodes.has(code) ? code : (codes.get(status) ?? code);

/** An error as the control plane writes it. `param` is the first member that is wrong. */
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
