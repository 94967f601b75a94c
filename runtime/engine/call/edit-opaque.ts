import { ownParams } from '../../../plugins/sdk/dialect/with-params.ts';
import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import type { RequestBody } from '../../../plugins/sdk/http/http.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { spliceParams } from '../../json-bodies/edit/splice-params.ts';
import { beginsObject } from '../../json-bodies/read/begins-object.ts';
import type { LeafCall } from './leaf-call.ts';

const editable: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** Whether a target's overrides apply to bodies that are passed through with this method. */
export const isEditable = (method: string): boolean => editable.has(method);

/** Whether a passed-through body is a JSON object that overrides can be set in. */
const isEdited = ({ method, body }: Exchange['request']): boolean =>
  body.kind === 'bytes' && body.bytes.length > 0 && isEditable(method) && beginsObject(body.bytes);

/**
 * Returns the overrides that apply to a passed-through request. They change neither its path, nor a body that is not a JSON
 * object, nor one in a dialect whose parameters are not at the top level, because the structure of this body is not known.
 */
export const opaqueEdits = (
  { exchange: { request }, dialect }: Pick<LeafCall, 'exchange' | 'dialect'>,
  edits: JsonObject | undefined,
): JsonObject | undefined =>
  edits !== undefined && dialect?.place === undefined && (request.body.kind === 'form' || isEdited(request))
    ? ownParams(dialect, edits, {})
    : undefined;

/**
 * Returns a passed-through body with the members of its `opaqueEdits` spliced in. Throws the `GatewayError` `malformed-body` for
 * one that begins like an object but is not valid, because it cannot be overridden.
 */
export const editOpaque = (exchange: Exchange, edits: JsonObject | undefined): RequestBody => {
  const { body } = exchange.request;
  if (edits !== undefined && body.kind === 'form')
    return { kind: 'form', form: body.form.withFields({ ...body.form.fields, ...edits }) };
  if (edits === undefined || body.kind !== 'bytes') return body;
  exchange.json();
  return { kind: 'bytes', bytes: spliceParams(body.bytes, edits) };
};
