import type { RequestBody } from '../../../plugins/sdk/http.ts';
import { gatewayError } from '../../../schema/errors.ts';
import type { JsonObject } from '../../../schema/json.ts';
import type { LeafNode, Target } from '../../../schema/plan.ts';
import { spliceParams } from '../body/splice-params.ts';
import { modelledHeaders, passThroughHeaders } from '../headers/outgoing-headers.ts';
import type { LeafCall } from '../leaf-call.ts';
import type { Translation } from '../target/translation.ts';
import { withBodyModel } from './body-model.ts';
import { editOpaque } from './edit-opaque.ts';
import { endpointPath } from './endpoint-path.ts';
import type { OutgoingCall } from './outgoing-call.ts';
import { effectiveParams, paramEdits } from './param-edits.ts';
import { refuseServiceKey } from './refuse-service-key.ts';

/** What a client wrote without a scope was made by a provider of its own dialect, which no target here claims to be. */
const nativeScope = '';

const operationWords = { converse: 'conversations', complete: 'text completions', embed: 'embeddings' } as const;

/** Builds the request that a leaf sends, the same for all its attempts. */
export type BuildOutgoing = (call: LeafCall) => OutgoingCall;

/** The client's bytes as received, or with members spliced in. */
const editedBody = ({ exchange }: LeafCall, edits: JsonObject | undefined): RequestBody => {
  const { body } = exchange.request;
  if (edits === undefined) return body;
  // Only valid JSON can be spliced; for other bodies this throws the client's error.
  exchange.json();
  return body.kind === 'bytes' ? { kind: 'bytes', bytes: spliceParams(body.bytes, edits) } : body;
};

const passThrough = (call: LeafCall, edits: JsonObject | undefined): OutgoingCall => {
  const { exchange, target } = call;
  const { request } = exchange;
  const { provider, settings, origin, basePath, headers, forward } = target;
  const path = provider.passThrough === undefined ? request.path : provider.passThrough(request.path, settings);
  const keepsLength = request.body.kind === 'stream';
  return {
    request: {
      method: request.method,
      origin,
      path: basePath + path,
      headers: passThroughHeaders({ client: request.headers, own: headers, forward: forward.passed, keepsLength }),
      body: edits === undefined ? request.body : editOpaque(exchange, edits),
    },
    translation: undefined,
    streamUsage: false,
  };
};

const inOwnWords = (
  call: LeafCall,
  translation: Extract<Translation, { kind: 'same' }>,
  edits: JsonObject | undefined,
): OutgoingCall => {
  const { target, exchange } = call;
  const { endpoint } = translation;
  return {
    request: {
      method: 'POST',
      origin: target.origin,
      path: typeof endpoint === 'string' ? endpoint : endpointPath(endpoint, target, effectiveParams(call, edits)),
      headers: modelledHeaders(target.modelledHeaders, exchange.request.headers, target.forward.same),
      body: editedBody(call, edits),
    },
    translation,
    streamUsage: false,
  };
};

interface TranslationRequest {
  readonly translation: Extract<Translation, { kind: 'translate' }>;
  readonly edits: JsonObject | undefined;
  readonly strict: boolean;
}

const translated = (call: LeafCall, { translation, edits, strict }: TranslationRequest): OutgoingCall => {
  const { target, exchange } = call;
  const { provider } = target;
  const { endpoint } = translation;
  const conversation = translation.clientCodec.decodeRequest(effectiveParams(call, edits), { scope: nativeScope });
  const { body, headers = [] } = translation.upstreamCodec.encodeRequest(conversation, {
    provider: provider.id,
    strict,
    drop: new Set(provider.drop),
    scope: target.stateScope,
  });
  const own = [...target.modelledHeaders, ...headers];
  return {
    request: {
      method: 'POST',
      origin: target.origin,
      path: typeof endpoint === 'string' ? endpoint : endpointPath(endpoint, target, body),
      headers: modelledHeaders(own, exchange.request.headers, target.forward.translated),
      body: { kind: 'bytes', bytes: Buffer.from(JSON.stringify(body)) },
    },
    translation,
    streamUsage: conversation.streamUsage ?? false,
  };
};

/** Whether answers follow the client's dialect strictly: as the target says, which a caller may only loosen. */
export const isStrict = (target: Target, { exchange }: LeafCall): boolean =>
  target.strict && exchange.overrides.strict !== false;

/**
 * The builder for a leaf. It applies its own edits to the client's body only if the leaf needs that, and removes its own
 * slug from the body's model. It throws `operation-not-supported` if the provider does not support what the client asks
 * for, `other-provider-model` if the body's model names another provider, `service-key-not-forwarded`, and the errors of
 * the codecs and of reading the body.
 */
export const outgoingBuilder = ({ needs }: LeafNode, target: Target): BuildOutgoing => {
  const own = needs.request === 'edit' ? paramEdits(target) : undefined;
  const isModelOpen = own?.model === undefined;
  return (call) => {
    refuseServiceKey(call);
    const { operation, dialect } = call.exchange.route;
    const edits = isModelOpen ? withBodyModel(own, target, call) : own;
    if (operation === 'opaque' || dialect === undefined) return passThrough(call, edits);
    const translation = call.target.translation(dialect);
    switch (translation.kind) {
      case 'same':
        return inOwnWords(call, translation, edits);
      case 'translate':
        return translated(call, { translation, edits, strict: isStrict(target, call) });
      case 'none':
        throw gatewayError('operation-not-supported', {
          provider: call.target.provider.id,
          operation: operationWords[operation],
        });
    }
  };
};
