import type { WireError } from '../../../../schema/conversation/answer.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { findItems, findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import { parseJson } from '../../../../schema/json/parse-json.ts';
import { defined } from '../json/defined.ts';

/**
 * Returns the object with the members of an error: `error`, the first of the list `errors`, which Cloudflare and IBM write, or
 * the body itself.
 */
const innerError = (outer: JsonObject): JsonObject => findObject(outer.error) ?? toObjects(outer.errors)[0] ?? outer;

/** Returns the code of an error. Anthropic has it among the details: https://docs.anthropic.com/en/api/errors */
export const findErrorCode = ({ code, details }: JsonObject): string | undefined =>
  typeof code === 'number' ? String(code) : (findText(code) ?? findText(findObject(details)?.error_code));

/** Returns the text of one problem in a list: a text, or the place and the message that FastAPI writes, without the input. */
const findProblem = (problem: Json): string | undefined => {
  const { loc, msg } = findObject(problem) ?? {};
  const message = findText(problem) ?? findText(msg);
  const place = (findItems(loc) ?? []).filter((step, at) => at > 0 || step !== 'body').join('.');
  return message === undefined || place === '' ? message : `${place}: ${message}`;
};

/** Returns a message: a text, or the texts of a list of problems, which Mistral has in `detail` of the message too. */
const findMessage = (value: Json | undefined): string | undefined => {
  const problems = findItems(value) ?? findItems(findObject(value)?.detail);
  if (problems === undefined) return findText(value);
  const texts = problems.map(findProblem).filter((text) => text !== undefined);
  return texts.length === 0 ? undefined : texts.join('; ');
};

interface ErrorBody {
  readonly inner: JsonObject;
  readonly type: string | undefined;
  readonly message: string;
}

const readBody = (body: string): ErrorBody => {
  const parsed = parseJson(body);
  const found = Array.isArray(parsed) ? parsed[0] : parsed;
  const outer = findObject(found) ?? {};
  const inner = innerError(outer);
  // AWS uses both spellings of the name.
  const said = [inner.message, inner.Message, outer.error, outer.errors, outer.detail];
  const message = said.map(findMessage).find((text) => text !== undefined) ?? body.trim();
  return { inner, type: inner === outer ? undefined : findText(inner.type), message };
};

/**
 * Adds the error of the provider that OpenRouter called, without which a message says no more than "Provider returned error":
 * https://openrouter.ai/docs/api/reference/errors-and-debugging
 */
export const withProvidersWords = (message: string, { metadata }: JsonObject): string => {
  const { raw } = findObject(metadata) ?? {};
  const text = findText(raw) ?? (findObject(raw) === undefined ? '' : JSON.stringify(raw));
  const reason = readBody(text).message;
  return reason === '' || message.includes(reason) ? message : `${message}: ${reason}`;
};

/**
 * Returns the error in an answer's body. Reads `{"error": {…}}`, `{"error": "…"}`, `{"errors": [{…}]}`, `{"message": "…"}`,
 * `{"detail": "…"}`, lists of those, and lists of problems in their places, which covers what vendors send. Any other text is the
 * message itself.
 */
export const readHttpError = (status: number, body: string): WireError => {
  const { inner, type, message } = readBody(body);
  return defined({
    message: message === '' ? `The provider answered ${status} without a message.` : withProvidersWords(message, inner),
    type,
    code: findErrorCode(inner),
    param: findText(inner.param),
    status,
  });
};
