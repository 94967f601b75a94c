import type { Exchange } from '../../../plugins/sdk/exchange.ts';
import type { RequestBody } from '../../../plugins/sdk/http.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { beginsObject } from '../body/begins-object.ts';
import { spliceParams } from '../body/splice-params.ts';

const editable: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** Whether a target's overrides apply to bodies that are passed through with this method. */
export const isEditable = (method: string): boolean => editable.has(method);

/**
 * A passed-through body, with members spliced in if it is a JSON object; any other is unchanged. Throws the
 * `GatewayError` `malformed-body` for one that begins like an object but is not valid: it cannot be overridden.
 */
export const editOpaque = (exchange: Exchange, edits: JsonObject): RequestBody => {
  const { method, body } = exchange.request;
  if (body.kind !== 'bytes' || body.bytes.length === 0 || !isEditable(method) || !beginsObject(body.bytes)) return body;
  exchange.json();
  return { kind: 'bytes', bytes: spliceParams(body.bytes, edits) };
};
