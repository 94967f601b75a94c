import type { Operation } from '../../../../plugins/sdk/exchange/exchange.ts';
import type { RequestBody } from '../../../../plugins/sdk/http/http.ts';
import { toBuffer } from '../../../../plugins/sdk/http/to-buffer.ts';
import { mayContainLacked } from '../../../../plugins/sdk/provider/may-contain-lacked.ts';
import type { Provider } from '../../../../plugins/sdk/provider/provider.ts';
import { type GatewayError, gatewayError } from '../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { LeafNode, Target } from '../../../../schema/plan/plan.ts';
import { type MaybePromise, thenMaybe } from '../../../async/maybe-promise.ts';
import { carriesMark } from '../../../json-bodies/read/carries-mark.ts';
import { unreservedBytes } from '../../../upstream/held-memory.ts';
import type { LinkContext } from '../../call/context.ts';
import { isStrict } from '../../call/is-strict.ts';
import type { LeafCall } from '../../call/leaf-call.ts';
import { findNamed } from '../../call/named-items.ts';
import type { OutgoingCall } from '../../call/outgoing-call.ts';
import { paramEdits, pendingEdits, sentParams } from '../../call/param-edits.ts';
import { askedModel } from '../../call/requested-model-and-stream.ts';
import type { Translation } from '../../target/translation.ts';
import { upstreamDialect } from '../../target/upstream-dialect.ts';
import { accountGuard } from '../caller-permissions/account-guard.ts';
import { withCheckedReferences } from '../caller-permissions/judged-references.ts';
import { modelGuard } from '../caller-permissions/model-guard.ts';
import { refuseServiceKey } from '../caller-permissions/refuse-service-key.ts';
import { withBodyModel } from './body-model.ts';
import { estimatedCall } from './estimated-call.ts';
import { operationCall } from './operation-call.ts';
import { ownCall } from './own-call.ts';
import { passThroughCall } from './pass-through-call.ts';
import { translatedCall } from './translated-call.ts';
import { withPromptCache } from './with-prompt-cache.ts';

const operationName = {
  converse: 'conversations',
  complete: 'text completions',
  count: 'counts of tokens',
  embed: 'embeddings',
  rerank: 'reranking',
  moderate: 'moderation',
  image: 'images',
  speech: 'speech',
  transcribe: 'transcriptions',
  ocr: 'the reading of documents',
  opaque: 'requests to this path',
} as const satisfies Record<Operation, string>;

/**
 * Builds the request that a leaf sends, the same for all its attempts. Returns a promise only until a dialect is loaded, or items
 * that the request names are found.
 */
export type BuildOutgoing = (call: LeafCall) => OutgoingCall | Promise<OutgoingCall>;

const notSupported = ({ target, exchange }: LeafCall): GatewayError =>
  gatewayError('operation-not-supported', {
    provider: target.provider.id,
    operation: operationName[exchange.route.operation],
  });

const bytesOf = (body: RequestBody): number => (body.kind === 'bytes' ? body.bytes.length : 0);

/** The bytes of the shortest text in a list, including its separator. */
const shortestText = 3;

/** Whether a body is long enough to have more texts than a provider accepts. If that depends on the model, the body is parsed. */
const mayHaveTooMany = (body: RequestBody, { maxTexts }: Provider): boolean =>
  body.kind === 'bytes' && (typeof maxTexts !== 'number' || body.bytes.length > maxTexts * shortestText);

/** Refuses a request that is sent as received, because it cannot ask for the rest of an answer that broke off elsewhere. */
const refuseRest = ({ run }: LeafCall): void => {
  if (run.continuation !== undefined)
    throw gatewayError('cannot-continue', { reason: 'its requests are sent unchanged' });
};

/** Returns the request without what only its parts are built from. */
const asOne = (built: OutgoingCall): OutgoingCall => {
  if (built.members === undefined) return built;
  const { members: _, ...rest } = built;
  return rest;
};

/** Returns the request with its parts, if it has more texts than the provider accepts. */
const inParts = (call: LeafCall, built: OutgoingCall, edits: JsonObject | undefined): MaybePromise<OutgoingCall> => {
  const { request, translation } = built;
  const { provider } = call.target;
  if (translation === undefined || !mayHaveTooMany(request.body, provider)) return asOne(built);
  const dialect = upstreamDialect(translation);
  const model = (): string | undefined => askedModel(call, edits);
  // Loaded on demand, because few lists are that long.
  return import('../split-requests/parts.ts').then(({ withParts }) => withParts(built, { provider, dialect, model }));
};

/**
 * Returns the request builder of a leaf. It applies the leaf's edits to the client's request only if necessary, and removes the
 * leaf's own slug from the request's model. It throws, or rejects with, `operation-not-supported` if the provider does not
 * support what the client asks for, `other-provider-model` if the request's model names another provider, `overloaded`,
 * `model-not-allowed`, `unclear-model`, `account-change-refused`, `service-key-not-forwarded`, `missing-model`, `loss-refused`,
 * and the errors of the codecs, of reading the body, and of the reference guard.
 */
export const outgoingBuilder = (
  { needs }: LeafNode,
  target: Target,
  context: Pick<
    LinkContext,
    'callerPlan' | 'onLoss' | 'passThroughHeaders' | 'promptCache' | 'leavesUnread' | 'references' | 'names' | 'ports'
  >,
): BuildOutgoing => {
  const { onLoss, promptCache, leavesUnread } = context;
  const own = needs.request === 'edit' ? paramEdits(target) : undefined;
  const isModelOpen = own?.model === undefined;
  const { answerMemory } = context.ports;
  const refuseChange = accountGuard(target, context);
  const requireModel = modelGuard(target, context);

  /** Counts the memory that a request takes in addition to the client's own. */
  const held = (call: LeafCall, built: OutgoingCall): OutgoingCall => {
    const more = bytesOf(built.request.body) - bytesOf(call.originalExchange.request.body);
    if (more > unreservedBytes && answerMemory?.take(more, call.originalExchange) === false)
      throw gatewayError('overloaded', {});
    return built;
  };

  const served = (
    call: LeafCall,
    translation: Translation,
    edits: JsonObject | undefined,
  ): MaybePromise<OutgoingCall> => {
    if (call.exchange.route.operation === 'opaque') {
      if (translation.kind !== 'same') throw notSupported(call);
      return passThroughCall(call, edits, context);
    }
    switch (translation.kind) {
      case 'same': {
        const { conversation, count } = translation.dialect;
        const codec = conversation ?? count;
        const { body } = call.exchange.request;
        const { provider } = call.target;
        const isRecoded =
          codec !== undefined &&
          (call.retryTurns !== undefined ||
            call.run.continuation !== undefined ||
            carriesMark(body, translation.marks) ||
            count?.namesModelAgain?.(call.exchange.json()) === true ||
            (body.kind === 'bytes' && mayContainLacked(toBuffer(body.bytes), provider, translation.dialect)));
        if (isRecoded)
          return translatedCall(call, {
            translation: { ...translation, codec },
            edits,
            strict: isStrict(target, call),
            onLoss,
          });
        refuseRest(call);
        return ownCall(call, { translation, edits, strict: isStrict(target, call), onLoss, leavesUnread });
      }
      case 'translate':
      case 'count':
        return thenMaybe(
          findNamed(call, () => sentParams(call, edits)),
          (found) => translatedCall(call, { translation, edits, strict: isStrict(target, call), onLoss, found }),
        );
      case 'estimate':
        return thenMaybe(
          findNamed(call, () => sentParams(call, edits)),
          (found) => estimatedCall(call, { translation, edits, found }),
        );
      case 'operation':
        return held(call, operationCall(call, { translation, edits, onLoss }));
      case 'passed':
        refuseRest(call);
        // The provider may read it differently.
        refuseChange(call, true);
        requireModel(call, edits, true);
        return passThroughCall(call, edits, context);
      case 'none':
        throw notSupported(call);
    }
  };

  const hinted = (
    call: LeafCall,
    translation: Translation,
    edits: JsonObject | undefined,
  ): MaybePromise<OutgoingCall> => {
    const outgoing = served(call, translation, edits);
    if (call.exchange.route.operation === 'embed' && call.target.provider.maxTexts !== undefined)
      return thenMaybe(outgoing, (built) => inParts(call, built, edits));
    if (promptCache === 'off' || call.target.provider.promptCache === undefined) return outgoing;
    return call.exchange.route.operation === 'converse'
      ? thenMaybe(outgoing, (built) => withPromptCache(built, askedModel(call, edits), call.target))
      : outgoing;
  };

  const build: BuildOutgoing = (call) => {
    refuseServiceKey(call);
    refuseChange(call);
    const { operation, dialect, model } = call.exchange.route;
    const pending = pendingEdits(call, own);
    const edits = isModelOpen ? withBodyModel(pending, target, call) : pending;
    requireModel(call, edits);
    if (dialect === undefined) return passThroughCall(call, edits, context);
    if (call.dialect === undefined) throw notSupported(call);
    const { provider } = call.target;
    // The provider's dialects may depend on the model. Otherwise the body is not read for it.
    const asked = provider.dialectsOf === undefined || operation === 'opaque' ? model : askedModel(call, edits);
    const translation = call.target.translation(call.dialect, asked);
    return translation instanceof Promise
      ? translation.then((found) => hinted(call, found, edits))
      : hinted(call, translation, edits);
  };
  return withCheckedReferences(build, target, context);
};
