import type { Finish, FinishReason } from '../../../../schema/conversation/answer.ts';
import { isJsonObject, type Json, type JsonArray, type JsonObject } from '../../../../schema/json/json.ts';
import { findItems, findObject, findText } from '../../../../schema/json/loose.ts';
import type { EncodeAnswer } from '../../../sdk/dialect/dialect.ts';
import { isBrokenOffReason } from '../parts/broken-off.ts';
import { usesLegacyFunctions } from '../request/legacy-functions.ts';

/** OpenAI's five reasons, those of compatible providers, and the raw reasons of non-strict answers. */
const reasons: ReadonlyMap<string, FinishReason> = new Map([
  ['stop', 'stop'],
  ['length', 'length'],
  ['tool_calls', 'tool-calls'],
  ['function_call', 'tool-calls'],
  ['content_filter', 'content-filter'],
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['eos', 'stop'],
  ['COMPLETE', 'stop'],
  ['STOP', 'stop'],
  ['max_tokens', 'length'],
  ['model_length', 'length'],
  ['max_output_tokens', 'length'],
  ['model_context_window_exceeded', 'context-window'],
  ['MAX_TOKENS', 'length'],
  ['tool_use', 'tool-calls'],
  ['TOOL_CALL', 'tool-calls'],
  ['SAFETY', 'content-filter'],
  ['guardrail_intervened', 'content-filter'],
  ['content_filtered', 'content-filter'],
  ['sensitive', 'content-filter'],
  ['refusal', 'refusal'],
  ['PROHIBITED_CONTENT', 'content-filter'],
  ['BLOCKLIST', 'content-filter'],
  ['SPII', 'content-filter'],
  ['RECITATION', 'content-filter'],
  ['MALFORMED_FUNCTION_CALL', 'malformed-call'],
  ['compaction', 'compaction'],
  ['pause_turn', 'pause'],
]);

const words: Readonly<Record<FinishReason, string>> = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'tool_calls',
  'content-filter': 'content_filter',
  refusal: 'content_filter',
  pause: 'stop',
  'context-window': 'length',
  compaction: 'stop',
  'malformed-call': 'stop',
  'blocked-prompt': 'content_filter',
  other: 'stop',
};

const none: JsonArray = [];

/** Decodes a finish reason. An answer without a reason, or with an empty one, ended normally. */
export const decodeFinish = (raw: string | undefined): Finish =>
  raw === undefined || raw === '' ? { reason: 'stop' } : { reason: reasons.get(raw) ?? 'other', raw };

/**
 * Decodes the finish reason of a choice that may have called tools. OpenAI writes `stop` if the request forced the call of one
 * function, and xAI leaves the reason empty. Any other reason is kept.
 */
export const decodeCallFinish = (raw: string | undefined, hasCalls: boolean): Finish => {
  const finish = decodeFinish(raw);
  return hasCalls && finish.reason === 'stop' ? { ...finish, reason: 'tool-calls' } : finish;
};

/** Returns OpenAI's word for a reason. OpenAI also writes `stop` after calls, so it is kept. */
const strictWord = ({ reason, raw }: Finish): string =>
  reason === 'tool-calls' && raw === 'stop' ? raw : words[reason];

/** The form in which a client expects answers. */
export interface ClientForm {
  readonly strict: boolean;
  /** Whether it expects its call in the deprecated `function_call`, which has a finish reason of its own. */
  readonly isLegacy?: boolean;
}

/** Returns the form that the client of an answer expects, according to its request. */
export const toClientForm = ({ strict, request }: Pick<EncodeAnswer, 'strict' | 'request'>): ClientForm => ({
  strict,
  isLegacy: usesLegacyFunctions(request?.()),
});

/**
 * Returns OpenAI's reason, or the provider's own if the client is not strict. In this format some words mean that the answer
 * broke off; such a word is not written for a provider that uses it with another meaning.
 */
export const encodeFinish = (finish: Finish, { strict, isLegacy }: ClientForm): string => {
  if (!strict && finish.raw !== undefined && !isBrokenOffReason(finish.raw)) return finish.raw;
  const word = strictWord(finish);
  return isLegacy && word === 'tool_calls' ? 'function_call' : word;
};

/** Finish reasons that compatible services (Mistral, Together and Z.ai) document beside OpenAI's. */
export const ownReasons: readonly string[] = ['eos', 'model_length', 'sensitive', 'model_context_window_exceeded'];

const withOpenaiReason = (choice: Json): Json => {
  const raw = isJsonObject(choice) ? findText(choice.finish_reason) : undefined;
  if (!isJsonObject(choice) || raw === undefined || !ownReasons.includes(raw)) return choice;
  return { ...choice, finish_reason: strictWord(decodeFinish(raw)) };
};

/** Replaces the finish reasons of other services in a body with OpenAI's. */
export const withOpenaiReasons = (body: JsonObject): JsonObject => {
  const choices = findItems(body.choices);
  return choices === undefined ? body : { ...body, choices: choices.map(withOpenaiReason) };
};

/**
 * Returns the finish reasons of the choices of an answer or of a chunk, in the provider's words. Choices that have not ended are
 * omitted.
 */
export const readFinishReasons = ({ choices }: JsonObject): readonly string[] => {
  const raws: string[] = [];
  for (const choice of findItems(choices) ?? none) {
    const raw = findText(findObject(choice)?.finish_reason);
    if (raw !== undefined && raw !== '') raws.push(raw);
  }
  return raws;
};
