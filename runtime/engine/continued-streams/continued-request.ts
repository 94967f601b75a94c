import { continuationObstacle } from '../../../plugins/sdk/guardrail/stream-mode.ts';
import { howToContinue, type WayToContinue } from '../../../plugins/sdk/models/how-to-continue.ts';
import type { Conversation, Turn } from '../../../schema/conversation/conversation.ts';
import { gatewayError } from '../../../schema/errors/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { findStage } from '../../../schema/plan/stages.ts';
import { estimatedTokens } from '../../usage/request-bytes.ts';
import type { Continuation, ContinuedRequest, ContinuingTarget } from '../call/stream-source.ts';
import type { Names } from '../plugins/names.ts';
import { type FixedForm, fixedForm } from './fixed-form.ts';

/** The beginning of an answer. */
interface SaidSoFar {
  readonly text: string;
  readonly bytes: number;
  /** The estimated number of its tokens. */
  readonly tokens: number;
}

const request = 'Your last message was cut off. Continue exactly where it ends, and write only the continuation.';

/** Appends the beginning as a turn of the model. A beginning from the client itself becomes a part of it. */
const withBeginning = (turns: readonly Turn[], text: string): readonly Turn[] => {
  const last = turns.at(-1);
  const part = { kind: 'text', text } as const;
  return last?.role === 'assistant'
    ? [...turns.slice(0, -1), { ...last, parts: [...last.parts, part] }]
    : [...turns, { role: 'assistant', parts: [part] }];
};

/**
 * Providers refuse a beginning that ends with white space. What is appended to it follows the client's text, which has the white
 * space.
 */
const continuedTurns = (turns: readonly Turn[], said: SaidSoFar, way: WayToContinue): readonly Turn[] => {
  const text = said.text.trimEnd();
  if (text === '') return turns;
  const begun = withBeginning(turns, text);
  return way === 'ask' ? [...begun, { role: 'user', parts: [{ kind: 'text', text: request }] }] : begun;
};

const withPrefix = (turn: Json): Json =>
  isJsonObject(turn) && turn.role === 'assistant' ? { ...turn, prefix: true } : turn;

/** https://docs.mistral.ai/api/endpoint/chat */
const markPrefix = (body: JsonObject): JsonObject => {
  const { messages } = body;
  if (!Array.isArray(messages)) return body;
  return { ...body, messages: messages.map((turn, at) => (at === messages.length - 1 ? withPrefix(turn) : turn)) };
};

const formReasons: Readonly<Record<FixedForm, string>> = {
  schema: 'its answers must have a given format',
  'several-answers': 'it asks for several answers',
};

/** Returns why the answer to a request could not be the rest of another one. Undefined if it could. */
const findObstacle = (conversation: Conversation, { restores }: ContinuingTarget): string | undefined => {
  // The text so far contains values that its checks take out of requests.
  if (restores) return 'its checks take values out of the request';
  const form = fixedForm(conversation);
  return form && formReasons[form];
};

/** Returns the output limit minus the text so far. */
const withoutSaid = ({ sampling }: Conversation, { tokens }: SaidSoFar): Conversation['sampling'] => {
  const { maxTokens } = sampling;
  if (maxTokens === undefined) return sampling;
  if (maxTokens <= tokens) throw gatewayError('no-output-left', {});
  return { ...sampling, maxTokens: maxTokens - tokens };
};

const requestFor = (conversation: Conversation, target: ContinuingTarget, said: SaidSoFar): ContinuedRequest => {
  const reason = findObstacle(conversation, target);
  if (reason !== undefined) throw gatewayError('cannot-continue', { reason });
  const { model, reasoning } = conversation;
  const reasons = reasoning !== undefined && reasoning.kind !== 'off';
  const way = howToContinue({ provider: target.provider, dialect: target.dialect, model, reasons });
  return {
    conversation: {
      ...conversation,
      turns: continuedTurns(conversation.turns, said, way),
      sampling: withoutSaid(conversation, said),
    },
    saidBytes: said.bytes,
    mark: (body) => (way === 'prefix' ? markPrefix(body) : body),
  };
};

/** Returns how to request the rest of an answer that begins with `text`. */
export const continuationOf = (text: string, names: Pick<Names, 'check'>): Continuation => {
  const bytes = Buffer.byteLength(text);
  const said = { text, bytes, tokens: estimatedTokens(bytes) };
  return {
    text,
    declined: (leaf) =>
      continuationObstacle(findStage(leaf, 'output-checks')?.hooks ?? [], names.check) === undefined
        ? undefined
        : gatewayError('cannot-continue', { reason: 'checks may deny or change its answers' }),
    request: (conversation, target) => requestFor(conversation, target, said),
  };
};
