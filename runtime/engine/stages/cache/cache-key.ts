import type { CachedRequest, CacheKey } from '../../../../plugins/sdk/cache/cache.ts';
import type { Exchange } from '../../../../plugins/sdk/exchange/exchange.ts';
import type { RawHeaders } from '../../../../plugins/sdk/http/http.ts';
import type { Target } from '../../../../schema/plan/plan.ts';
import { findJsonObject } from '../../../json-bodies/read/find-json-object.ts';
import { clientFraming } from '../../call/client-framing.ts';
import { isStrict } from '../../call/is-strict.ts';
import type { LeafCall } from '../../call/leaf-call.ts';
import type { OutgoingCall } from '../../call/outgoing-call.ts';
import { effectiveParams, paramEdits } from '../../call/param-edits.ts';
import { headerClass } from '../../forwarded-headers/header-class.ts';
import { headerText } from '../../forwarded-headers/header-text.ts';
import { isClientCredential } from '../../target/forwarded-owner.ts';
import { upstreamDialect } from '../../target/upstream-dialect.ts';
import { cacheId } from './cache-id.ts';

/** The parts that a leaf's keys have in common. */
export interface KeyOptions {
  readonly target: Target;
  /** Identifies the leaf's output checks as they apply to this request. */
  readonly outputChecks: (exchange: Exchange) => string;
  /** Whether plugins change requests or answers of attempts. */
  readonly isTapped: boolean;
  /** Checks whether an answer is not too old for a request. */
  readonly isFresh: (call: LeafCall) => NonNullable<CachedRequest['isFresh']>;
}

const noBytes = new Uint8Array();

/** Client headers that identify a single request. No plugin decides by them what is answered. */
const ofOneRequest: ReadonlySet<string> = new Set(['traceparent', 'tracestate', 'x-request-id', 'content-length']);

const toCaller = ({ exchange: { principal, request } }: LeafCall): readonly string[] => {
  const lines: string[] = [principal.keyId ?? ''];
  const { headers }: { readonly headers: RawHeaders } = request;
  for (let at = 0; at < headers.length; at += 2) {
    const name = headerText(headers, at).toLowerCase();
    if (headerClass(name) === 'end-to-end' && !ofOneRequest.has(name)) lines.push(name, headerText(headers, at + 1));
  }
  return lines;
};

/**
 * Returns the headers that are sent upstream, without those that a config or the caller forwards, because a namespace replaces
 * them. Credentials stay, and so does what the provider itself reads of client headers, because it determines the form of the
 * answer.
 */
const withoutForwarded = (
  headers: RawHeaders,
  { forward: { translated }, provider }: LeafCall['target'],
): RawHeaders => {
  if (translated.size === 0) return headers;
  const kept: string[] = [];
  for (let at = 0; at < headers.length; at += 2) {
    const name = headerText(headers, at).toLowerCase();
    const isLeftOut =
      translated.has(name) && !isClientCredential(name) && provider.clientHeaders?.includes(name) !== true;
    if (!isLeftOut) kept.push(name, headerText(headers, at + 1));
  }
  return kept;
};

/** Returns the key of a request's answers, derived from what is sent upstream. */
export const cacheKey = (
  call: LeafCall,
  { outgoing, isStream }: { readonly outgoing: OutgoingCall; readonly isStream: boolean },
  { target, outputChecks, isTapped, isFresh }: KeyOptions,
): CacheKey => {
  const { exchange } = call;
  const { request, translation, model, streamUsage, strip } = outgoing;
  const { tenant } = exchange.principal;
  const { operation, dialect = '' } = exchange.route;
  const body = request.body.kind === 'bytes' ? request.body.bytes : noBytes;
  const { cacheNamespace: namespace } = exchange.overrides;
  const ids = cacheId(call.leaf, {
    tenant,
    credential: call.target.fingerprint,
    provider: call.target.provider.id,
    method: request.method,
    url: request.origin + request.path,
    headers: namespace === undefined ? request.headers : withoutForwarded(request.headers, call.target),
    body,
    asked: translation?.kind === 'operation' ? JSON.stringify(effectiveParams(call, paramEdits(target))) : undefined,
    dialect,
    operation,
    framing: isStream ? clientFraming(call) : undefined,
    strict: isStrict(target, call),
    model: translation === undefined || translation.kind === 'same' ? undefined : model,
    streamUsage,
    strip,
    outputChecks: outputChecks(exchange),
    partition: namespace === undefined ? { metadata: exchange.facts.metadata } : { namespace },
    caller: isTapped ? toCaller(call) : undefined,
  });
  return {
    ...ids,
    request: {
      tenant,
      operation,
      dialect: translation === undefined ? dialect : upstreamDialect(translation).id,
      body: () => findJsonObject(body),
      isFresh: isFresh(call),
      cancellation: call.cancellation,
    },
  };
};
