import { createRecoding, type RequestCodec } from '../../../../plugins/sdk/provider/recoded.ts';
import type { Conversation } from '../../../../schema/conversation/conversation.ts';
import { exactTextFrom } from '../../../../schema/json/exact-numbers.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findAskedTier, findMaxOutput } from '../../../../schema/usage/max-output.ts';
import type { FoundItems } from '../../../ports/named-items.ts';
import type { OnLoss } from '../../call/context.ts';
import type { LeafCall } from '../../call/leaf-call.ts';
import { recalling } from '../../call/named-items.ts';
import type { OutgoingCall } from '../../call/outgoing-call.ts';
import { sentParams } from '../../call/param-edits.ts';
import { requestedModelAndStream } from '../../call/requested-model-and-stream.ts';
import { modelledHeaders } from '../../forwarded-headers/outgoing-headers.ts';
import type { RetryTurns } from '../../guardrail-verdicts/asked-retry.ts';
import type { Translation } from '../../target/translation.ts';
import { endpointPath } from './endpoint-path.ts';
import { lossesClientNotices } from './losses-client-notices.ts';
import { reportedLosses } from './reported-losses.ts';
import { usageRequest } from './usage-request.ts';
import { withServedModel } from './with-served-model.ts';

/**
 * The scope of values that a client sent without one. They were created by a provider of its own dialect, which no target here
 * claims to be.
 */
const foreignScope = '';

/** A translation, or a dialect whose requests can be decoded and encoded again. */
export type Conversing =
  | Extract<Translation, { kind: 'translate' | 'count' }>
  | (Extract<Translation, { kind: 'same' }> & { readonly codec: RequestCodec });

/** Returns the conversation with the turns of a retry that checks requested. */
const withTurns = (conversation: Conversation, added: RetryTurns | undefined): Conversation =>
  added === undefined
    ? conversation
    : {
        ...conversation,
        turns: [
          ...conversation.turns,
          { role: 'assistant', parts: [{ kind: 'text', text: added.answered }] },
          { role: 'user', parts: [{ kind: 'text', text: added.say }] },
        ],
      };

export interface TranslatedRequest {
  readonly translation: Conversing;
  readonly edits: JsonObject | undefined;
  readonly strict: boolean;
  readonly onLoss: OnLoss;
  /** Items of earlier answers that were looked up for the request. Absent if none were. */
  readonly found?: FoundItems | undefined;
}

/**
 * Decodes and encodes a request: from the client's dialect to the provider's, or within one dialect if it may contain bound
 * values of other providers or content that the provider lacks, or has further turns. Throws the `GatewayError`s
 * `invalid-request`, `missing-model` and `loss-refused`.
 */
export const translatedCall = (
  call: LeafCall,
  { translation, edits, strict, onLoss, found }: TranslatedRequest,
): OutgoingCall => {
  const { target, exchange } = call;
  const { provider } = target;
  const { endpoint } = translation;
  const called = requestedModelAndStream(call, edits);
  const ownScope = target.stateScope(called.model);
  const { clientCodec, upstream, isTranslated, write } = createRecoding(translation, target);
  const endings = isTranslated ? ownScope : undefined;
  // Within one dialect, a value without a scope counts as the target's own.
  const options = {
    scope: isTranslated ? foreignScope : ownScope,
    ...called,
    ...recalling(call, { found, scope: endings }),
  };
  const params = sentParams(call, edits);
  const asked = withTurns(clientCodec.decodeRequest(params, options), call.retryTurns);
  const continued = call.run.continuation?.request(asked, {
    provider: provider.id,
    dialect: upstream.id,
    restores: call.restorer !== undefined,
  });
  const conversation = continued?.conversation ?? asked;
  const asks = conversation.stream && conversation.streamUsage !== true ? usageRequest(call, upstream) : undefined;
  const sent = asks === undefined ? conversation : { ...conversation, streamUsage: true };
  const {
    body,
    headers = [],
    lost,
    edits: answerEdits,
  } = write(withServedModel(sent, target), { strict, scope: ownScope });
  const dropped = reportedLosses(lossesClientNotices(lost, conversation), provider, onLoss);
  const own = [...target.modelledHeaders, ...headers];
  const forward = translation.kind === 'same' ? target.forward.same : target.forward.translated;
  return {
    request: {
      method: 'POST',
      origin: target.origin,
      path: typeof endpoint === 'string' ? endpoint : endpointPath(endpoint, target, conversation),
      headers: modelledHeaders(own, exchange.request.headers, forward),
      body: { kind: 'bytes', bytes: Buffer.from(exactTextFrom(params, continued?.mark(body) ?? body)) },
    },
    translation,
    streamUsage: conversation.streamUsage ?? false,
    model: conversation.model,
    // A limit that the format required is not one that anybody asked for.
    maxOutput: call.isMetered && conversation.sampling.maxTokens !== undefined ? findMaxOutput(body) : undefined,
    tier: call.isMetered ? findAskedTier(body) : undefined,
    strip: translation.kind === 'same' ? asks?.member : undefined,
    edits: answerEdits,
    continuedBytes: continued?.saidBytes,
    dropped,
  };
};
