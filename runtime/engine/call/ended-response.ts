import type { GatewayResponse } from '../../../plugins/sdk/http/http.ts';
import { clientClosedResponse } from '../responses/client-closed-response.ts';
import type { LeafCall } from './leaf-call.ts';
import { isPastDeadline } from './run-deadline.ts';

/** The answer of a call that was ended before it had one: its deadline passed, or its client left. */
export const endedResponse = (call: LeafCall): GatewayResponse => {
  const { cause } = call.cancellation;
  return cause !== undefined && isPastDeadline(call.cancellation)
    ? call.refuse(cause, { origin: 'timeout' })
    : { ...clientClosedResponse, leaf: call.report };
};
