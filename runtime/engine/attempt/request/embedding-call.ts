import { readDrop } from '../../../../plugins/sdk/provider/read-drop.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { askedFor } from '../../call/asked-for.ts';
import type { OnLoss } from '../../call/context.ts';
import type { LeafCall } from '../../call/leaf-call.ts';
import type { OutgoingCall } from '../../call/outgoing-call.ts';
import { effectiveParams } from '../../call/param-edits.ts';
import { modelledHeaders } from '../../headers/outgoing-headers.ts';
import type { Translation } from '../../target/translation.ts';
import { endpointPath } from './endpoint-path.ts';
import { reportedLosses } from './reported-losses.ts';
import { withServedModel } from './with-served-model.ts';

/**
 * A request for embeddings in the format of the provider. Throws the `GatewayError`s `invalid-request`, `missing-model` and
 * `loss-refused`.
 */
export const embeddingCall = (
  call: LeafCall,
  {
    translation,
    edits,
    onLoss,
  }: {
    readonly translation: Extract<Translation, { kind: 'embed' }>;
    readonly edits: JsonObject | undefined;
    readonly onLoss: OnLoss;
  },
): OutgoingCall => {
  const { target, exchange } = call;
  const { clientCodec, upstreamCodec, endpoint } = translation;
  const { model } = askedFor(call, edits);
  const request = clientCodec.decodeRequest(effectiveParams(call, edits), model === undefined ? {} : { model });
  const drop = new Set(readDrop(target.provider, target.settings));
  const { body, lost } = upstreamCodec.encodeRequest(withServedModel(request, target), { drop });
  return {
    request: {
      method: 'POST',
      origin: target.origin,
      path: typeof endpoint === 'string' ? endpoint : endpointPath(endpoint, target, { ...request, stream: false }),
      headers: modelledHeaders(target.modelledHeaders, exchange.request.headers, target.forward.translated),
      body: { kind: 'bytes', bytes: Buffer.from(JSON.stringify(body)) },
    },
    translation,
    streamUsage: false,
    model: request.model,
    maxOutput: 0,
    strip: undefined,
    embedding: request,
    dropped: reportedLosses(lost, target.provider, onLoss),
  };
};
