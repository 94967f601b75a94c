import type { WireError } from '../../../../schema/conversation/answer.ts';
import { gatewayError } from '../../../../schema/errors/errors.ts';
import type { JsonArray, JsonObject } from '../../../../schema/json/json.ts';
import { findItems, findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import { toSentence } from '../../../../schema/text/to-sentence.ts';
import type { Frame } from '../../../sdk/dialect/dialect.ts';
import { withProvidersWords } from '../../../sdk/http/http-error.ts';
import { defined } from '../../shared/json/defined.ts';

/**
 * Finish reasons with which services report that an answer broke off: OpenRouter's and vLLM's `error`
 * (https://openrouter.ai/docs/api/reference/errors-and-debugging), Z.ai's `network_error`
 * (https://docs.z.ai/api-reference/llm/chat-completion), DeepSeek's `insufficient_system_resource`
 * (https://api-docs.deepseek.com/api/create-chat-completion), and the `abort` of vLLM and SGLang.
 */
const reasons: ReadonlySet<string> = new Set([
  ...['error', 'network_error', 'insufficient_system_resource', 'abort', 'aborted'],
]);

/** Whether a finish reason means that an answer broke off. */
export const isBrokenOffReason = (reason: string): boolean => reasons.has(reason);

/** Texts of which at least one occurs in each of these reasons. */
export const brokenOffMarks: readonly string[] = ['error', 'insufficient_system_resource', 'abort'];

const none: JsonArray = [];

/**
 * Returns the error of an answer, or of a chunk, in which a choice broke off. It is the service's own error, if there is one
 * beside the reason.
 */
export const brokenOff = ({ choices }: JsonObject): WireError | undefined => {
  for (const each of findItems(choices) ?? none) {
    const choice = findObject(each);
    const reason = findText(choice?.finish_reason);
    if (choice === undefined || reason === undefined || !reasons.has(reason)) continue;
    const error = findObject(choice.error) ?? {};
    const { type, code } = error;
    return defined({
      message: withProvidersWords(findText(error.message) ?? `its finish reason is "${reason}".`, error),
      type: findText(type),
      code: typeof code === 'number' ? String(code) : (findText(code) ?? reason),
    });
  }
  return undefined;
};

/** Throws the `GatewayError` `broken-answer` if a choice of a whole answer broke off. */
export const throwIfBrokenOff = (wire: JsonObject): void => {
  const error = brokenOff(wire);
  if (error !== undefined) throw gatewayError('broken-answer', { reason: toSentence(error.message) });
};

/** Whether a chunk has the member by which official clients recognise an error. An empty text or `false` is none. */
const hasError = ({ error }: JsonObject): boolean => Boolean(error);

/**
 * Whether a chunk is an error: because of that member, because of the list that IBM writes instead, or because its answer broke
 * off.
 */
export const isErrorChunk = (chunk: JsonObject): boolean =>
  hasError(chunk) ||
  brokenOff(chunk) !== undefined ||
  (chunk.choices === undefined && toObjects(chunk.errors).length > 0);

/** Whether official clients mistake an error for a part of the answer. */
export const hidesError = ({ event, data }: Frame): boolean => event !== 'error' && !hasError(parseObject(data) ?? {});
