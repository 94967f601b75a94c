import type { WireError } from '../../../schema/conversation/answer.ts';
import type { Json, JsonObject } from '../../../schema/json/json.ts';
import { findItems, findObject, findText, toObjects } from '../../../schema/json/loose.ts';
import { parseJson } from '../../../schema/json/parse-json.ts';

/**
 * Returns the object with the members of an error: `error`, the first of the list `errors`, which Cloudflare and IBM write,
 * `fault`, which Apigee writes in front of other services, or the body itself.
 */
const innerError = (outer: JsonObject): JsonObject =>
  findObject(outer.error) ?? toObjects(outer.errors)[0] ?? findObject(outer.fault) ?? outer;

/**
 * Returns the code of an error. Anthropic has it among the details (https://docs.anthropic.com/en/api/errors), and Apigee in the
 * detail.
 */
export const findErrorCode = ({ code, details, detail }: JsonObject): string | undefined =>
  typeof code === 'number'
    ? String(code)
    : (findText(code) ?? findText(findObject(details)?.error_code) ?? findText(findObject(detail)?.errorcode));

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

/** How much of an HTML page is searched, in characters. */
const searched = 10_000;
const maxTitle = 200;

const plainText = (html: string): string =>
  html
    .replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

/**
 * Returns a sentence with the title of an HTML page, its first heading or the beginning of its text. Proxies and load balancers
 * in front of a provider answer with such pages. Returns undefined for any other text.
 */
const describeHtmlPage = (text: string): string | undefined => {
  const start = text.trimStart().slice(0, searched);
  if (!start.startsWith('<') || !/<(?:!doctype\s{1,9}html|html|head|body|title|h1)\b/i.test(start)) return undefined;
  const named = /<(?:title|h1)\b[^<>]*>([^<]+)/i.exec(start)?.[1] ?? start;
  const title = plainText(named).slice(0, maxTitle).toWellFormed();
  return title === ''
    ? 'The provider answered with an HTML page.'
    : `The provider answered with an HTML page, ${JSON.stringify(title)}.`;
};

interface ErrorBody {
  readonly inner: JsonObject;
  /** The error of OAuth, which is a code beside its description: https://www.rfc-editor.org/rfc/rfc6749#section-5.2 */
  readonly oauthCode: string | undefined;
  readonly type: string | undefined;
  readonly message: string;
}

const readBody = (body: string): ErrorBody => {
  const parsed = parseJson(body);
  const found = Array.isArray(parsed) ? parsed[0] : parsed;
  const outer = findObject(found) ?? {};
  const inner = innerError(outer);
  const described = findText(outer.error_description);
  // AWS uses both spellings of the name. An error with a title is one of RFC 9457 or of JSON:API.
  const said = [
    ...[inner.message, inner.Message, inner.msg, inner.faultstring, described],
    ...[outer.error, outer.errors, inner.detail, outer.detail, inner.title],
  ].map(findMessage);
  const message = said.find((text) => text !== undefined && text !== '') ?? (said.includes('') ? '' : body.trim());
  return {
    inner,
    oauthCode: described === undefined ? undefined : findText(outer.error),
    type: inner === outer ? undefined : findText(inner.type),
    message: describeHtmlPage(message) ?? message,
  };
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
 * `{"msg": "…"}`, `{"detail": "…"}`, lists of those, lists of problems in their places, and errors of OAuth and Apigee, which covers
 * what vendors send. Of an HTML page, the message has only the title. Any other text is the message itself.
 */
export const readHttpError = (status: number, body: string): WireError => {
  const { inner, oauthCode, type, message } = readBody(body);
  const code = findErrorCode(inner) ?? oauthCode;
  const param = findText(inner.param);
  return {
    message: message === '' ? `The provider answered ${status} without a message.` : withProvidersWords(message, inner),
    ...(type !== undefined && { type }),
    ...(code !== undefined && { code }),
    ...(param !== undefined && { param }),
    status,
  };
};
