import type { EncodedOperation } from '../../../../plugins/sdk/dialect/operation-codec.ts';
import { operations } from '../../../../plugins/sdk/exchange/operations.ts';
import type { RawHeaders, UpstreamRequest } from '../../../../plugins/sdk/http/http.ts';
import { maxModelBytes } from '../../../../plugins/sdk/multipart/read-field.ts';
import { writeForm } from '../../../../plugins/sdk/multipart/write-form.ts';
import { readDrop } from '../../../../plugins/sdk/provider/read-drop.ts';
import { type GatewayError, gatewayError } from '../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { OnLoss } from '../../call/context.ts';
import type { LeafCall } from '../../call/leaf-call.ts';
import type { OutgoingCall } from '../../call/outgoing-call.ts';
import { sentParams } from '../../call/param-edits.ts';
import { partSize } from '../../call/part-size.ts';
import { requestedModelAndStream } from '../../call/requested-model-and-stream.ts';
import { modelledHeaders, withLines } from '../../forwarded-headers/outgoing-headers.ts';
import type { Translation } from '../../target/translation.ts';
import { endpointPath } from './endpoint-path.ts';
import { reportedLosses } from './reported-losses.ts';
import { withServedModel } from './with-served-model.ts';

const longModel = (dialect = ''): GatewayError =>
  gatewayError('invalid-request', { dialect, reason: `model must have at most ${maxModelBytes} characters.` });

/** Returns the body, and the header lines that replace the target's. */
const writtenBody = ({
  body,
  as,
  headers = [],
}: EncodedOperation): { readonly body: UpstreamRequest['body']; readonly headers: RawHeaders } => {
  if (as === undefined) return { body: { kind: 'bytes', bytes: Buffer.from(JSON.stringify(body)) }, headers };
  const { contentType, bytes } = writeForm(body);
  return { body: { kind: 'bytes', bytes }, headers: [...headers, 'content-type', contentType] };
};

/**
 * Builds a request for an operation that is not a conversation, in the provider's format. Throws the `GatewayError`s
 * `invalid-request`, `too-many-texts`, `missing-model` and `loss-refused`.
 */
export const operationCall = (
  call: LeafCall,
  {
    translation,
    edits,
    onLoss,
  }: {
    readonly translation: Extract<Translation, { kind: 'operation' }>;
    readonly edits: JsonObject | undefined;
    readonly onLoss: OnLoss;
  },
): OutgoingCall => {
  const { target, exchange } = call;
  const { translate, endpoint } = translation;
  const { model } = requestedModelAndStream(call, edits);
  const asked = translate(sentParams(call, edits), model === undefined ? {} : { model });
  if (asked.model !== undefined && asked.model.length > maxModelBytes) throw longModel(exchange.route.dialect);
  const { provider, settings } = target;
  const { upstream } = translation;
  const drop = new Set(readDrop(provider, settings, upstream.id));
  const { embeddings } = provider;
  const written = asked.encode({ drop, embeddings, model: withServedModel(asked, target).model });
  const texts = upstream.split?.count(written.body);
  // Checked before the request is written, because a text may take a hundred times as many bytes as the client has sent.
  if (texts !== undefined) partSize(provider, { count: texts, model: asked.model });
  const encoded = { ...written, body: provider.adapt?.(written.body, upstream.id, settings) ?? written.body };
  const { body, headers } = writtenBody(encoded);
  return {
    request: {
      method: 'POST',
      origin: target.origin,
      path: typeof endpoint === 'string' ? endpoint : endpointPath(endpoint, target, { ...asked, stream: false }),
      headers: modelledHeaders(
        withLines(target.modelledHeaders, headers),
        exchange.request.headers,
        target.forward.translated,
      ),
      body,
    },
    translation,
    streamUsage: false,
    model: asked.model,
    // Some models count images in tokens.
    maxOutput: operations[exchange.route.operation].output === 'figures' ? 0 : undefined,
    strip: undefined,
    asked,
    members: texts === undefined || provider.maxTexts === undefined ? undefined : encoded.body,
    dropped: reportedLosses(encoded.lost, provider, onLoss),
  };
};
