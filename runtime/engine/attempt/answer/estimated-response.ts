import type { GatewayResponse } from '../../../../plugins/sdk/http/http.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { LeafCall } from '../../call/leaf-call.ts';
import { jsonHeaders } from '../../responses/error-response.ts';

/** The header of an answer whose count of tokens is the gateway's estimate. */
const estimatedHeader = 'x-gw-estimated';

/** An answer of the gateway's own, which says nothing about the upstream. */
export const estimatedResponse = (call: LeafCall, body: JsonObject): GatewayResponse => ({
  status: 200,
  headers: [...jsonHeaders, estimatedHeader, 'true'],
  origin: 'gateway',
  body: { kind: 'bytes', bytes: Buffer.from(JSON.stringify(body)) },
  leaf: call.report,
});
