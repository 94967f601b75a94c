import type { GatewayResponse } from '../../../../plugins/sdk/http/http.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { FoundItems } from '../../../ports/named-items.ts';
import { estimatedInput } from '../../../usage/estimated-input.ts';
import type { LeafCall } from '../../call/leaf-call.ts';
import { recalling } from '../../call/named-items.ts';
import type { OutgoingCall } from '../../call/outgoing-call.ts';
import { sentParams } from '../../call/param-edits.ts';
import { requestedModelAndStream } from '../../call/requested-model-and-stream.ts';
import { jsonHeaders } from '../../error-responses/error-response.ts';
import type { Translation } from '../../target/translation.ts';

/** The header of an answer whose token count is the gateway's estimate. */
const estimatedHeader = 'x-gw-estimated';

/** Returns an answer of the gateway itself, which says nothing about the upstream. */
const toResponse = (body: JsonObject): GatewayResponse => ({
  status: 200,
  headers: [...jsonHeaders, estimatedHeader, 'true'],
  origin: 'gateway',
  body: { kind: 'bytes', bytes: Buffer.from(JSON.stringify(body)) },
});

/**
 * Returns a token count that the gateway estimates because its provider does not count. Nothing is sent. Throws the
 * `GatewayError` `invalid-request`.
 */
export const estimatedCall = (
  call: LeafCall,
  {
    translation,
    edits,
    found,
  }: {
    readonly translation: Extract<Translation, { kind: 'estimate' }>;
    readonly edits: JsonObject | undefined;
    readonly found?: FoundItems | undefined;
  },
): OutgoingCall => {
  const { target, exchange } = call;
  const { path, body } = exchange.request;
  const { clientCodec } = translation;
  const asked = requestedModelAndStream(call, edits);
  const options = { scope: target.stateScope(asked.model), ...asked, ...recalling(call, { found }) };
  const conversation = clientCodec.decodeRequest(sentParams(call, edits), options);
  return {
    request: { method: 'POST', origin: target.origin, path, headers: [], body },
    estimated: toResponse(clientCodec.encodeAnswer(estimatedInput(conversation))),
    translation: undefined,
    streamUsage: false,
    model: conversation.model,
    maxOutput: undefined,
    strip: undefined,
    dropped: undefined,
  };
};
