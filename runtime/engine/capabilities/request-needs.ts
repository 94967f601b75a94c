import type { Dialect } from '../../../plugins/sdk/dialect/dialect.ts';
import type { Operation, Route } from '../../../plugins/sdk/exchange/exchange.ts';
import { operations } from '../../../plugins/sdk/exchange/operations.ts';
import type { Conversation } from '../../../schema/conversation/conversation.ts';
import { GatewayError } from '../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { Capability } from '../../../schema/model-facts/capability.ts';
import type { ModelNeeds } from '../../../schema/model-facts/find-lacks.ts';
import type { CarriedPart, RequestNeeds } from '../../../schema/model-facts/request-needs.ts';
import { findMaxOutput } from '../../../schema/usage/max-output.ts';
import { estimatedInput } from '../../usage/estimated-input.ts';
import { estimatedTokens, requestBytes } from '../../usage/request-bytes.ts';
import { asksForStream, requestedModelAndStream } from '../call/requested-model-and-stream.ts';
import type { PlainBytes } from '../call/run.ts';
import { type ConversationNeeds, conversationNeeds } from './conversation-needs.ts';
import { functionNeeds, hasPlainFunctions, isPlainRequest } from './plain-request.ts';

/** A request as it is sent to a target. */
export interface AskedRequest {
  readonly route: Route;
  readonly dialect: Dialect;
  /** Includes the target's edits. Undefined for a body that cannot be read, which is left to the target. */
  readonly body: JsonObject | undefined;
  /** The target's edits. They may contain what the path says, too. */
  readonly edits: JsonObject | undefined;
  readonly bytes: number;
}

const ofOperation: { readonly [Each in Operation]?: Capability } = {
  converse: 'chat',
  embed: 'embeddings',
  rerank: 'rerank',
  image: 'images',
  speech: 'speech',
  transcribe: 'transcription',
  moderate: 'moderation',
};

/** Returns the needs of a request whose body adds none. */
const ofUnread = (operation: Operation): RequestNeeds => {
  const own = ofOperation[operation];
  return {
    capabilities: own === undefined ? [] : [own],
    isLongerThan: () => false,
    maxOutput: undefined,
    carried: [],
  };
};

/** Returns the request as a conversation. Undefined if its codec refuses it, which is left to the target. */
const readConversation = ({ route, dialect, edits }: AskedRequest, body: JsonObject): Conversation | undefined => {
  try {
    const asked = requestedModelAndStream({ exchange: { route, json: () => body } }, edits);
    return (dialect.conversation ?? dialect.conversationClient)?.decodeRequest(body, { scope: '', ...asked });
  } catch (error) {
    if (error instanceof GatewayError) return undefined;
    throw error;
  }
};

const isMedium = ({ lack }: CarriedPart): boolean =>
  lack === 'vision' || lack === 'documents' || lack === 'audio-input' || lack === 'video-input';

/** A text in a body is not longer than the body. Only media may take more tokens than their reference has bytes. */
const isLongerThan =
  (bytes: number, estimate: () => number): ModelNeeds['isLongerThan'] =>
  (context) =>
    estimatedTokens(bytes) > context && estimate() > context;

const ofConversation = (asked: AskedRequest, body: JsonObject): RequestNeeds => {
  const conversation = readConversation(asked, body);
  if (conversation === undefined) return ofUnread(asked.route.operation);
  const needs = conversationNeeds(conversation);
  let known: number | undefined;
  const estimate = (): number => {
    known ??= estimatedInput(conversation);
    return known;
  };
  return {
    ...needs,
    isLongerThan: needs.carried.some(isMedium)
      ? (context) => estimate() > context
      : isLongerThan(asked.bytes, estimate),
    maxOutput: conversation.sampling.maxTokens,
  };
};

const nothingFurther: ConversationNeeds = { capabilities: [], carried: [] };

/**
 * Returns the needs of an operation that is not a conversation, or of a conversation of texts, together with those that are known
 * otherwise.
 */
const ofTexts = (
  asked: AskedRequest,
  body: JsonObject,
  { estimate, further = nothingFurther }: { readonly estimate: () => number; readonly further?: ConversationNeeds },
): RequestNeeds => {
  const { route, edits, bytes } = asked;
  const { operation } = route;
  const isStream = operations[operation].mayStream && asksForStream({ exchange: { route, json: () => body } }, edits);
  const own = ofOperation[operation];
  const capabilities: Capability[] = own === undefined ? [] : [own];
  if (isStream) capabilities.push('streaming');
  for (const each of further.capabilities) capabilities.push(each);
  return {
    capabilities,
    isLongerThan: isLongerThan(bytes, estimate),
    maxOutput: findMaxOutput(body),
    carried: further.carried,
  };
};

/** Returns the tokens of a conversation, or none if its codec refuses it. */
const estimatedConversation = (asked: AskedRequest, body: JsonObject): number => {
  const conversation = readConversation(asked, body);
  return conversation === undefined ? 0 : estimatedInput(conversation);
};

/** Returns the needs of a plain conversation that was read from its bytes. It is parsed only if its texts have to be counted. */
export const plainNeeds = (
  { body, hasFunctions }: PlainBytes,
  asked: AskedRequest,
  parse: () => JsonObject,
): RequestNeeds => {
  const estimate = (): number => estimatedConversation(asked, parse());
  return ofTexts(asked, body, hasFunctions ? { estimate, further: functionNeeds(body) } : { estimate });
};

/** Reads what a request needs. For operations other than conversations, that is little more than the operation. */
export const readNeeds = (asked: AskedRequest): RequestNeeds => {
  const { route, body } = asked;
  const { operation } = route;
  if (body === undefined) return ofUnread(operation);
  const hasFunctions = operation === 'converse' && asked.dialect.id === 'chat' && hasPlainFunctions(body);
  if (operation === 'converse' && !hasFunctions && !isPlainRequest(body)) return ofConversation(asked, body);
  const estimate = (): number => {
    if (operation === 'complete') return estimatedTokens(requestBytes(body));
    return operation === 'converse' ? estimatedConversation(asked, body) : 0;
  };
  return ofTexts(asked, body, hasFunctions ? { estimate, further: functionNeeds(body) } : { estimate });
};
