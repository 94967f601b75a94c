import type { GatewayResponse } from '../../plugins/sdk/http.ts';

/** Stands in for an answer where the client left; nobody sees it, and no circuit counts it. */
export const clientClosedResponse: GatewayResponse = {
  status: 499,
  headers: [],
  origin: 'gateway',
  body: { kind: 'bytes', bytes: Buffer.alloc(0) },
};
