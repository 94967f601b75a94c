import type { Dialect } from '../../../plugins/sdk/dialect.ts';
import type { RequestBody } from '../../../plugins/sdk/http.ts';
import type { Provider } from '../../../plugins/sdk/provider.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { spliceParams } from '../body/splice-params.ts';
import { withMembers } from '../body/with-members.ts';
import { modelledHeaders } from '../headers/outgoing-headers.ts';
import type { LeafCall } from '../leaf-call.ts';
import type { Translation } from '../target/translation.ts';
import { askedFor, bodyEdits } from './asked-for.ts';
import { endpointPath } from './endpoint-path.ts';
import { type AddedRequest, meteredOwn } from './metered-own.ts';
import type { OutgoingCall } from './outgoing-call.ts';
import { effectiveParams } from './param-edits.ts';

/** Whether the provider itself changes bodies that clients wrote in this dialect. */
export const adaptsOwn = (provider: Provider, { id }: Dialect): boolean => provider.adaptsOwn?.includes(id) === true;

/** The body with the provider's changes. */
const adapted = (call: LeafCall, dialect: Dialect, params: JsonObject): JsonObject => {
  const { exchange, target } = call;
  const { provider, settings } = target;
  const { model } = params;
  const named =
    provider.bodyModel !== undefined && typeof model === 'string' && exchange.route.model === undefined
      ? { ...params, model: provider.bodyModel(model, settings) }
      : params;
  return provider.adapt !== undefined && adaptsOwn(provider, dialect)
    ? provider.adapt(named, dialect.id, settings)
    : named;
};

/** The client's bytes as received, or with members spliced in. */
const ownBody = (call: LeafCall, dialect: Dialect, edits: JsonObject | undefined): RequestBody => {
  const { exchange, target } = call;
  const { body } = exchange.request;
  const isAdapted = target.provider.bodyModel !== undefined || adaptsOwn(target.provider, dialect);
  const laid = edits === undefined ? undefined : bodyEdits(edits, exchange.route);
  if (laid === undefined && !isAdapted) return body;
  // Only valid JSON can be spliced; for other bodies this throws the client's error.
  const json = exchange.json();
  if (body.kind !== 'bytes') return body;
  if (laid !== undefined && !isAdapted && dialect.place === undefined)
    return { kind: 'bytes', bytes: spliceParams(body.bytes, laid) };
  return withMembers(body.bytes, json, adapted(call, dialect, effectiveParams(call, edits)));
};

/** The body with the parameter that asks for usage. */
const withRequest = (body: RequestBody, { param, value }: AddedRequest): RequestBody =>
  body.kind === 'bytes' ? { kind: 'bytes', bytes: spliceParams(body.bytes, { [param]: value }) } : body;

/** A request in a dialect that the provider speaks. */
export const ownCall = (
  call: LeafCall,
  translation: Extract<Translation, { kind: 'same' }>,
  edits: JsonObject | undefined,
): OutgoingCall => {
  const { target, exchange } = call;
  const { dialect, endpoint } = translation;
  const body = ownBody(call, dialect, edits);
  const metered = call.isMetered ? meteredOwn(call, dialect, edits) : undefined;
  const { request } = metered ?? {};
  return {
    request: {
      method: 'POST',
      origin: target.origin,
      path: typeof endpoint === 'string' ? endpoint : endpointPath(endpoint, target, askedFor(call, edits)),
      headers: modelledHeaders(target.modelledHeaders, exchange.request.headers, target.forward.same),
      body: request === undefined ? body : withRequest(body, request),
    },
    translation,
    streamUsage: false,
    model: metered?.model,
    strip: request?.member,
    dropped: undefined,
  };
};
