import type { GatewayResponse } from '../../../plugins/sdk/http.ts';
import { type ErrorReport, type ErrorType, errorReport } from '../../../schema/errors.ts';
import type { Origin } from '../../../schema/status.ts';
import { clientClosedResponse } from '../client-closed-response.ts';
import type { LeafCall } from '../leaf-call.ts';
import type { AttemptScope } from './attempt-scope.ts';

const origins: Partial<Record<ErrorType, Origin>> = { network_error: 'network', timeout_error: 'timeout' };

/** An attempt that got no answer, as the answer of its leaf. */
export const failureResponse = (call: LeafCall, error: ErrorReport): GatewayResponse =>
  call.refuse(error, { origin: origins[error.type] ?? 'gateway' });

/** What stands for an attempt that was cancelled: its time ran out, or nobody waits for it. */
export const cancelledResponse = (call: LeafCall, scope: AttemptScope, timeoutMs: number): GatewayResponse =>
  scope.reason === 'timeout'
    ? failureResponse(call, errorReport('request-timeout', { ms: timeoutMs }))
    : { ...clientClosedResponse, leaf: call.report };
