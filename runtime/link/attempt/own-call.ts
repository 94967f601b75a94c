import type { Dialect } from '../../../plugins/sdk/dialect.ts';
import { dropOf } from '../../../plugins/sdk/drop-of.ts';
import type { RequestBody } from '../../../plugins/sdk/http.ts';
import type { Provider } from '../../../plugins/sdk/provider.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { spliceParams } from '../body/splice-params.ts';
import { withMembers } from '../body/with-members.ts';
import type { OnLoss } from '../context.ts';
import { modelledHeaders } from '../headers/outgoing-headers.ts';
import type { LeafCall } from '../leaf-call.ts';
import type { Translation } from '../target/translation.ts';
import type { LeavesUnread } from '../unread.ts';
import { askedFor, bodyEdits } from './asked-for.ts';
import { completions } from './completions.ts';
import { endpointPath } from './endpoint-path.ts';
import { type AddedRequest, meteredOwn } from './metered-own.ts';
import type { OutgoingCall } from './outgoing-call.ts';
import { effectiveParams } from './param-edits.ts';
import { toldLosses } from './told-losses.ts';
import { mayStayUnread } from './unread-answer.ts';

/** Whether the provider itself changes bodies that clients wrote in this dialect. */
export const adaptsOwn = (provider: Provider, { id }: Dialect): boolean => provider.adaptsOwn?.includes(id) === true;

export interface OwnRequest {
  readonly translation: Extract<Translation, { kind: 'same' }>;
  readonly edits: JsonObject | undefined;
  readonly onLoss: OnLoss;
  readonly leavesUnread: LeavesUnread;
}

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

interface OwnBody {
  readonly body: RequestBody;
  /** Parameters that were left out. */
  readonly lost: readonly string[];
}

/** The body without what the provider does not accept. */
const withoutDropped = (body: JsonObject, drop: readonly string[]): { body: JsonObject; lost: readonly string[] } => {
  const lost = drop.filter((name) => body[name] !== undefined && body[name] !== null);
  return { body: Object.fromEntries(Object.entries(body).filter(([name]) => !lost.includes(name))), lost };
};

/** The body with the parameter that asks for usage. */
const withRequest = (body: RequestBody, { param, value }: AddedRequest): RequestBody =>
  body.kind === 'bytes' ? { kind: 'bytes', bytes: spliceParams(body.bytes, { [param]: value }) } : body;

/** The client's bytes as received, or with members spliced in, or left out where the provider has its own form of the dialect. */
const ownBody = (call: LeafCall, dialect: Dialect, edits: JsonObject | undefined): OwnBody => {
  const { exchange, target } = call;
  const { provider, settings } = target;
  const { body } = exchange.request;
  const isOwnForm = adaptsOwn(provider, dialect);
  const isAdapted = provider.bodyModel !== undefined || isOwnForm;
  const laid = edits === undefined ? undefined : bodyEdits(edits, exchange.route);
  if (laid === undefined && !isAdapted) return { body, lost: [] };
  // Only valid JSON can be spliced; for other bodies this throws the client's error.
  const json = exchange.json();
  if (body.kind !== 'bytes') return { body, lost: [] };
  if (laid !== undefined && !isAdapted && dialect.place === undefined)
    return { body: { kind: 'bytes', bytes: spliceParams(body.bytes, laid) }, lost: [] };
  const params = adapted(call, dialect, effectiveParams(call, edits));
  if (!isOwnForm) return { body: withMembers(body.bytes, json, params), lost: [] };
  const kept = withoutDropped(params, dropOf(provider, settings));
  return { body: withMembers(body.bytes, json, kept.body), lost: kept.lost };
};

/** A request in a dialect that the provider speaks. Throws the `GatewayError` `loss-refused`. */
export const ownCall = (call: LeafCall, { translation, edits, onLoss, leavesUnread }: OwnRequest): OutgoingCall => {
  const { target, exchange } = call;
  const { dialect, endpoint } = translation;
  const { body, lost } = ownBody(call, dialect, edits);
  const unread = leavesUnread(dialect.id) && mayStayUnread(call, edits) ? dialect.id : undefined;
  const metered = call.isMetered && unread === undefined ? meteredOwn(call, dialect, edits) : undefined;
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
    unread,
    model: metered?.model,
    mostOutput: metered?.mostOutput,
    strip: request?.member,
    edits: completions(target.provider, dialect),
    dropped: toldLosses(lost, target.provider, onLoss),
  };
};
