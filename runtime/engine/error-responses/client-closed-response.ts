import type { GatewayResponse } from '../../../plugins/sdk/http/http.ts';

/** The answer for a client that has disconnected. It is never sent, and no circuit counts it. */
export const clientClosedResponse: GatewayResponse = {
  status: 499,
  headers: [],
  origin: 'gateway',
  body: { kind: 'bytes', bytes: Buffer.alloc(0) },
};
