import type { GatewayResponse } from '../../../../plugins/sdk/http/http.ts';
import { type ErrorReport, type ErrorType, errorReport } from '../../../../schema/errors/errors.ts';
import type { Origin } from '../../../../schema/http/status.ts';
import type { AttemptScope } from '../../call/attempt-scope.ts';
import type { LeafCall } from '../../call/leaf-call.ts';

const origins: Partial<Record<ErrorType, Origin>> = {
  network_error: 'network',
  timeout_error: 'timeout',
  hooks_failed: 'check',
};

/** Returns the leaf's answer for an attempt that received none. */
export const failureResponse = (call: LeafCall, error: ErrorReport): GatewayResponse =>
  call.refuse(error, { origin: origins[error.type] ?? 'gateway' });

/** Returns the answer of a cancelled attempt: it timed out, the deadline passed, or the client disconnected. */
export const cancelledResponse = (call: LeafCall, scope: AttemptScope): GatewayResponse =>
  scope.reason === 'timeout'
    ? failureResponse(call, errorReport('request-timeout', { ms: scope.timeoutMs }))
    : call.ended();
