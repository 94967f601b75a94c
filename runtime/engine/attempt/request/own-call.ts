import type { Dialect } from '../../../../plugins/sdk/dialect/dialect.ts';
import { ownParams } from '../../../../plugins/sdk/dialect/with-params.ts';
import { withoutNames } from '../../../../plugins/sdk/http/header-lines.ts';
import type { RawHeaders, RequestBody } from '../../../../plugins/sdk/http/http.ts';
import { findCompletion } from '../../../../plugins/sdk/provider/find-completion.ts';
import { adaptsOwn, ownForm } from '../../../../plugins/sdk/provider/own-form.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findText } from '../../../../schema/json/loose.ts';
import { spliceParams } from '../../../json-bodies/edit/splice-params.ts';
import { withMembers } from '../../../json-bodies/edit/with-members.ts';
import { carriesMark } from '../../../json-bodies/read/carries-mark.ts';
import { mayBeReadLate, mayStayUnread } from '../../attempt-usage/unread-answer.ts';
import type { OnLoss } from '../../call/context.ts';
import type { LeafCall } from '../../call/leaf-call.ts';
import type { OutgoingCall } from '../../call/outgoing-call.ts';
import { sentParams } from '../../call/param-edits.ts';
import { bodyEdits, requestedModelAndStream } from '../../call/requested-model-and-stream.ts';
import { modelledHeaders } from '../../forwarded-headers/outgoing-headers.ts';
import type { LeavesUnread } from '../../plugins/unread.ts';
import type { Translation } from '../../target/translation.ts';
import { endpointPath } from './endpoint-path.ts';
import { type AddedRequest, meteredOwn } from './metered-own.ts';
import { reportedLosses } from './reported-losses.ts';
import { servedModel } from './with-served-model.ts';

export interface OwnRequest {
  readonly translation: Extract<Translation, { kind: 'same' }>;
  readonly edits: JsonObject | undefined;
  readonly strict: boolean;
  readonly onLoss: OnLoss;
  readonly leavesUnread: LeavesUnread;
}

/** Returns the body with the model as the provider names it. */
const named = ({ exchange, target }: LeafCall, params: JsonObject): JsonObject => {
  const { model = null } = params;
  if (exchange.route.model !== undefined || (model !== null && typeof model !== 'string')) return params;
  const served = servedModel(model ?? undefined, target);
  return served === undefined || served === model ? params : { ...params, model: served };
};

interface OwnBody {
  readonly body: RequestBody;
  /** Parameters that were omitted. */
  readonly lost: readonly string[];
}

const noneLost: readonly string[] = [];

/** Returns the body with the parameter that requests usage. */
const withRequest = (body: RequestBody, { param, value }: AddedRequest): RequestBody =>
  body.kind === 'bytes' ? { kind: 'bytes', bytes: spliceParams(body.bytes, { [param]: value }) } : body;

/**
 * Returns the model that a body has to repeat because the path names another one than the client's. Undefined if it is unchanged.
 */
const repeatedModel = ({ exchange }: LeafCall, { withModel }: Dialect, { model }: JsonObject): string | undefined =>
  withModel !== undefined && exchange.route.model !== undefined ? findText(model) : undefined;

/** A form has its own type, with its boundary. */
const withFormType = (headers: RawHeaders, body: RequestBody): RawHeaders =>
  body.kind === 'form' ? [...withoutNames(headers, ['content-type']), 'content-type', body.form.contentType] : headers;

/**
 * Returns the client's bytes as received, with members spliced in, or with members omitted if the provider has its own form of
 * the dialect.
 */
const ownBody = (
  call: LeafCall,
  { dialect, adaptedMarks }: OwnRequest['translation'],
  edits: JsonObject | undefined,
): OwnBody => {
  const { exchange, target } = call;
  const { provider, settings } = target;
  const { body } = exchange.request;
  const isAdapted = provider.bodyModel !== undefined || adaptsOwn(provider, dialect) || carriesMark(body, adaptedMarks);
  const laid = edits === undefined ? undefined : bodyEdits(edits, exchange.route);
  const repeated = edits === undefined ? undefined : repeatedModel(call, dialect, edits);
  if (laid === undefined && !isAdapted && repeated === undefined) return { body, lost: noneLost };
  // Only valid JSON can be spliced. For other bodies this throws the client's error.
  const json = exchange.json();
  if (body.kind !== 'bytes' && body.kind !== 'form') return { body, lost: noneLost };
  const isSpliced = laid !== undefined && !isAdapted && repeated === undefined && dialect.place === undefined;
  if (body.kind === 'bytes' && isSpliced)
    return { body: { kind: 'bytes', bytes: spliceParams(body.bytes, ownParams(dialect, laid, json)) }, lost: noneLost };
  const params = sentParams(call, edits);
  const asked = repeated === undefined ? params : (dialect.withModel?.(params, repeated) ?? params);
  const kept = ownForm(named(call, asked), { provider, settings, dialect });
  if (body.kind === 'form') return { body: { kind: 'form', form: body.form.withFields(kept.body) }, lost: kept.lost };
  return { body: withMembers(body.bytes, json, kept.body), lost: kept.lost };
};

/** Builds a request in a dialect that the provider speaks. Throws the `GatewayError` `loss-refused`. */
export const ownCall = (
  call: LeafCall,
  { translation, edits, strict, onLoss, leavesUnread }: OwnRequest,
): OutgoingCall => {
  const { target, exchange } = call;
  const { dialect, endpoint } = translation;
  const { body, lost } = ownBody(call, translation, edits);
  const { provider } = target;
  const unread = leavesUnread(dialect.id) && mayStayUnread(call, edits) ? dialect.id : undefined;
  const isRead = call.isMetered && unread === undefined;
  const isReadLate = isRead && mayBeReadLate(call, edits);
  const metered = isRead && !isReadLate ? meteredOwn(call, dialect, edits) : undefined;
  const request = metered?.request;
  return {
    request: {
      method: 'POST',
      origin: target.origin,
      path:
        typeof endpoint === 'string'
          ? endpoint
          : endpointPath(endpoint, target, { ...requestedModelAndStream(call, edits), path: exchange.request.path }),
      headers: withFormType(
        modelledHeaders(target.modelledHeaders, exchange.request.headers, target.forward.same),
        body,
      ),
      body: request === undefined ? body : withRequest(body, request),
    },
    translation,
    streamUsage: false,
    unread,
    isReadLate,
    model: metered?.model,
    maxOutput: metered?.maxOutput,
    tier: metered?.tier,
    strip: request?.member,
    edits: findCompletion(provider, dialect, strict),
    dropped: reportedLosses(lost, provider, onLoss),
  };
};
