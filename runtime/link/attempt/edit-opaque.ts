import type { Exchange } from '../../../plugins/sdk/exchange.ts';
import type { RequestBody } from '../../../plugins/sdk/http.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { beginsObject } from '../body/begins-object.ts';
import { spliceParams } from '../body/splice-params.ts';

const editable: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** Whether the overrides of a target are laid over bodies that are passed through with this method. */
export const isEditable = (method: string): boolean => editable.has(method);

/**
 * A body that is passed through, with members spliced in where it is a JSON object; any other stays as it came. Throws
 * the `GatewayError` `malformed-body` for one that begins as an object and is not one: it cannot be overridden.
 */
export const editOpaque = (exchange: Exchange, edits: JsonObject): RequestBody => {
  const { method, body } = exchange.request;
  if (body.kind !== 'bytes' || body.bytes.length === 0 || !isEditable(method) || !beginsObject(body.bytes)) return body;
  exchange.json();
  return { kind: 'bytes', bytes: spliceParams(body.bytes, edits) };
};
