import type { WireError } from '../../../../schema/conversation/answer.ts';
import { gatewayError } from '../../../../schema/errors/errors.ts';
import type { JsonArray, JsonObject } from '../../../../schema/json/json.ts';
import { findItems, findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import { toSentence } from '../../../../schema/text/to-sentence.ts';
import type { Frame } from '../../../sdk/dialect/dialect.ts';
import { defined } from '../../wire/json/defined.ts';

/**
 * Finish reasons by which services say that an answer broke off: OpenRouter's and vLLM's `error`
 * (https://openrouter.ai/docs/api/reference/errors-and-debugging), Z.ai's `network_error`
 * (https://docs.z.ai/api-reference/llm/chat-completion), DeepSeek's `insufficient_system_resource`
 * (https://api-docs.deepseek.com/api/create-chat-completion), and the `abort` of vLLM and SGLang.
 */
const reasons: ReadonlySet<string> = new Set([
  ...['error', 'network_error', 'insufficient_system_resource', 'abort', 'aborted'],
]);

/** Whether a finish reason says that an answer broke off. */
export const isBrokenOffReason = (reason: string): boolean => reasons.has(reason);

/** Texts of which one occurs in each of them. */
export const brokenOffMarks: readonly string[] = ['error', 'insufficient_system_resource', 'abort'];

const none: JsonArray = [];

/** The error of an answer, or of a chunk, of which a choice broke off: the service's own, if it names one beside the reason. */
export const brokenOff = ({ choices }: JsonObject): WireError | undefined => {
  for (const each of findItems(choices) ?? none) {
    const choice = findObject(each);
    const reason = findText(choice?.finish_reason);
    if (choice === undefined || reason === undefined || !reasons.has(reason)) continue;
    const { message, type, code } = findObject(choice.error) ?? {};
    return defined({
      message: findText(message) ?? `its finish reason is "${reason}".`,
      type: findText(type),
      code: typeof code === 'number' ? String(code) : (findText(code) ?? reason),
    });
  }
  return undefined;
};

/** Throws the `GatewayError` `broken-answer` for a whole answer of which a choice broke off. */
export const refuseBrokenOff = (wire: JsonObject): void => {
  const error = brokenOff(wire);
  if (error !== undefined) throw gatewayError('broken-answer', { reason: toSentence(error.message) });
};

/** Whether a chunk has the member by which official clients know an error. */
const hasError = ({ error }: JsonObject): boolean => error !== undefined && error !== null;

/** Whether a chunk is an error: by that member, by the list that IBM writes in its place, or because its answer broke off. */
export const isErrorChunk = (chunk: JsonObject): boolean =>
  hasError(chunk) ||
  brokenOff(chunk) !== undefined ||
  (chunk.choices === undefined && toObjects(chunk.errors).length > 0);

/** Whether official clients take an error for a part of the answer. */
export const hidesError = ({ event, data }: Frame): boolean => event !== 'error' && !hasError(parseObject(data) ?? {});
