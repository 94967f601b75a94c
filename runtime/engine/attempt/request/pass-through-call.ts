import { withQueryModel } from '../../../../plugins/sdk/models/query-models.ts';
import { gatewayError } from '../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findText } from '../../../../schema/json/loose.ts';
import { errorText } from '../../../../schema/text/error-text.ts';
import { toSentence } from '../../../../schema/text/to-sentence.ts';
import type { LinkContext } from '../../call/context.ts';
import { editOpaque, opaqueEdits } from '../../call/edit-opaque.ts';
import type { LeafCall } from '../../call/leaf-call.ts';
import type { OutgoingCall } from '../../call/outgoing-call.ts';
import { passThroughHeaders } from '../../forwarded-headers/outgoing-headers.ts';
import { askedModels } from '../caller-permissions/asked-models.ts';

/** The destination of a request. */
type Place = Pick<OutgoingCall['request'], 'origin' | 'path' | 'isStorage'>;

/** Throws the `GatewayError`s `operation-not-supported`, and `unreadable-answer` for an address that is not the provider's. */
const signedPlace = ({ exchange, target }: LeafCall, signedOrigin: string): Place => {
  const { provider, isOwnHost } = target;
  const { signedOrigins } = provider;
  if (signedOrigins === undefined)
    throw gatewayError('operation-not-supported', { provider: provider.id, operation: 'signed addresses of files' });
  if (isOwnHost && !signedOrigins.includes(signedOrigin))
    throw gatewayError('unreadable-answer', {
      provider: provider.id,
      reason: `a file is said to be at ${signedOrigin}, where it has none.`,
    });
  return { origin: signedOrigin, path: exchange.request.path, isStorage: true };
};

/** Throws the `GatewayError`s `operation-not-supported` and `missing-base-url`. */
const ownPlace = ({ exchange, target }: LeafCall): Place => {
  const { provider, settings, origin, isOwnHost } = target;
  const { storageOrigin } = provider;
  if (storageOrigin === undefined)
    throw gatewayError('operation-not-supported', { provider: provider.id, operation: 'files of jobs in a storage' });
  try {
    return { origin: isOwnHost ? storageOrigin(settings) : origin, path: exchange.request.path, isStorage: true };
  } catch (error) {
    throw gatewayError('missing-base-url', { provider: provider.id, reason: toSentence(errorText(error)) });
  }
};

/**
 * Returns where a file of a job is: at an address that the provider signed, or in the storage of its cloud. Throws the
 * `GatewayError`s `operation-not-supported`, `missing-base-url` and `unreadable-answer`.
 */
const storagePlace = (call: LeafCall): Place => {
  const { signedOrigin } = call.exchange.route;
  return signedOrigin === undefined ? ownPlace(call) : signedPlace(call, signedOrigin);
};

/** Returns the model that a request is sent with. Undefined if it names none, or if that is not clear. */
const findModel = (call: LeafCall, edits: JsonObject | undefined): string | undefined => {
  const asked = askedModels(call, edits, true);
  return asked.kind === 'named' ? asked.model : undefined;
};

const hasVersion = (path: string): boolean => /^\/v\d+\//.test(path);

/**
 * Returns the path below that of the base URL, which contains the provider's version. If a dialect's path has its own version,
 * such as `/v2/rerank`, the provider's is the one without.
 */
const pathBelow = ({ exchange, dialect }: LeafCall, edits: JsonObject | undefined): string => {
  const { path } = exchange.request;
  const model = findText(edits?.model);
  if (exchange.route.opensSession === true && model !== undefined) return withQueryModel(path, model);
  const plain = hasVersion(path) ? dialect?.routes?.find((route) => !hasVersion(route.path))?.path : undefined;
  return plain ?? path;
};

const toPlace = (call: LeafCall, edits: JsonObject | undefined): Place => {
  const { exchange, target } = call;
  if (exchange.route.isStorage === true) return storagePlace(call);
  const { provider, settings, origin, basePath } = target;
  const path = provider.pathBeside === undefined ? pathBelow(call, edits) : exchange.request.path;
  const passed = provider.passThrough?.(path, settings) ?? path;
  return { origin, path: provider.pathBeside?.(passed, basePath) ?? basePath + passed };
};

/** Headers that describe a body, or which answers can be read. HTTP needs them. */
const neededHeaders: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'content-encoding',
  'content-length',
  'content-type',
]);

/** Whether a header passes. Those that a config names pass too, unless a caller wrote the config. */
const passesList = (
  { target: { forward, provider } }: LeafCall,
  { listed, callerPlan }: { readonly listed: ReadonlySet<string>; readonly callerPlan: boolean },
): ((name: string) => boolean) => {
  const others = callerPlan ? new Set(provider.clientHeaders?.map((name) => name.toLowerCase())) : forward.passed;
  return (name) => listed.has(name) || neededHeaders.has(name) || others.has(name);
};

const nothing = { own: [], forward: new Set<string>() } as const;

/** Joins the headers that a target adds to those of a client with those that it forwards. */
const targetHeaders = ({ exchange, target: { headers, forward } }: LeafCall) =>
  exchange.route.signedOrigin === undefined ? { own: headers, forward: forward.passed } : nothing;

/** Throws the `GatewayError` `operation-not-supported`. */
const requireSessions = ({ exchange, target: { provider } }: LeafCall): void => {
  if (exchange.route.opensSession === true && provider.hasRealtime !== true)
    throw gatewayError('operation-not-supported', { provider: provider.id, operation: 'sessions over WebSocket' });
};

/** Builds a request for a path that is not modelled, or for an operation that the provider is not known to have. */
export const passThroughCall = (
  call: LeafCall,
  edits: JsonObject | undefined,
  { passThroughHeaders: listed, callerPlan }: Pick<LinkContext, 'passThroughHeaders' | 'callerPlan'>,
): OutgoingCall => {
  requireSessions(call);
  const { exchange } = call;
  const { request } = exchange;
  const keepsLength = request.body.kind === 'stream';
  const socket = exchange.route.opensSession === true ? ({ opensSocket: true } as const) : {};
  return {
    request: {
      method: request.method,
      ...toPlace(call, edits),
      ...socket,
      headers: passThroughHeaders({
        ...{ client: request.headers, ...targetHeaders(call), keepsLength },
        passes: listed === undefined ? undefined : passesList(call, { listed, callerPlan }),
      }),
      body: editOpaque(exchange, opaqueEdits(call, edits)),
    },
    translation: undefined,
    streamUsage: false,
    model: call.isMetered ? findModel(call, edits) : exchange.route.model,
    maxOutput: undefined,
    strip: undefined,
    dropped: undefined,
  };
};
