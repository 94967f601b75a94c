import type { GatewayResponse } from '../../../plugins/sdk/http/http.ts';
import type { LeafCall } from '../call/leaf-call.ts';
import { isPastDeadline } from '../call/run-deadline.ts';
import { clientClosedResponse } from './client-closed-response.ts';

/** The answer of a call that was ended before it had one: its deadline passed, or its client left. */
export const endedResponse = (call: LeafCall): GatewayResponse => {
  const { cause } = call.cancellation;
  return cause !== undefined && isPastDeadline(call.cancellation)
    ? call.refuse(cause, { origin: 'timeout' })
    : { ...clientClosedResponse, leaf: call.report };
};
