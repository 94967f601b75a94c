import { type GatewayError, gatewayError } from '../../../schema/errors.ts';
import type { LeafNode, Target } from '../../../schema/plan.ts';
import { carriesMark } from '../body/carries-mark.ts';
import { mayBeLacked } from '../body/may-be-lacked.ts';
import type { LinkContext } from '../context.ts';
import type { LeafCall } from '../leaf-call.ts';
import { askedModel } from './asked-for.ts';
import { withBodyModel } from './body-model.ts';
import { isStrict } from './is-strict.ts';
import type { OutgoingCall } from './outgoing-call.ts';
import { ownCall } from './own-call.ts';
import { paramEdits } from './param-edits.ts';
import { passThroughCall } from './pass-through-call.ts';
import { refuseServiceKey } from './refuse-service-key.ts';
import { translatedCall } from './translated-call.ts';

const operationWords = {
  converse: 'conversations',
  complete: 'text completions',
  embed: 'embeddings',
  opaque: 'requests to this path',
} as const;

/** Builds the request that a leaf sends, the same for all its attempts. */
export type BuildOutgoing = (call: LeafCall) => OutgoingCall;

const notSupported = ({ target, exchange }: LeafCall): GatewayError =>
  gatewayError('operation-not-supported', {
    provider: target.provider.id,
    operation: operationWords[exchange.route.operation],
  });

/**
 * The builder for a leaf. It applies its own edits to the client's request only if the leaf needs that, and removes its
 * own slug from the request's model. It throws `operation-not-supported` if the provider does not support what the client
 * asks for, `other-provider-model` if the request's model names another provider, `service-key-not-forwarded`,
 * `missing-model`, `loss-refused`, and the errors of the codecs and of reading the body.
 */
export const outgoingBuilder = (
  { needs }: LeafNode,
  target: Target,
  { onLoss }: Pick<LinkContext, 'onLoss'>,
): BuildOutgoing => {
  const own = needs.request === 'edit' ? paramEdits(target) : undefined;
  const isModelOpen = own?.model === undefined;
  return (call) => {
    refuseServiceKey(call);
    const { operation, dialect, model } = call.exchange.route;
    const edits = isModelOpen ? withBodyModel(own, target, call) : own;
    if (dialect === undefined) return passThroughCall(call, edits);
    const isOpaque = operation === 'opaque';
    const { provider } = call.target;
    // What it speaks may depend on the model; elsewhere no body is read for that.
    const asked = provider.dialectsOf === undefined || isOpaque ? model : askedModel(call, edits);
    const translation = call.target.translation(dialect, asked);
    if (isOpaque) {
      if (translation.kind !== 'same') throw notSupported(call);
      return passThroughCall(call, edits);
    }
    switch (translation.kind) {
      case 'same': {
        const codec = translation.dialect.conversation;
        const { body } = call.exchange.request;
        return codec !== undefined &&
          (carriesMark(body, translation.marks) || mayBeLacked(body, provider, translation.dialect))
          ? translatedCall(call, {
              translation: { ...translation, codec },
              edits,
              strict: isStrict(target, call),
              onLoss,
            })
          : ownCall(call, { translation, edits, onLoss });
      }
      case 'translate':
        return translatedCall(call, { translation, edits, strict: isStrict(target, call), onLoss });
      case 'none':
        throw notSupported(call);
    }
  };
};
