import type { WireError } from '../../../../schema/conversation/answer.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
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

/**
 * Returns the error in an answer's body. Reads `{"error": {…}}`, `{"error": "…"}`, `{"errors": [{…}]}`, `{"message": "…"}`,
 * `{"detail": "…"}` and lists of those, which covers what vendors send. Any other text is the message itself.
 */
export const readHttpError = (status: number, body: string): WireError => {
  const parsed = parseJson(body);
  const found = Array.isArray(parsed) ? parsed[0] : parsed;
  const outer = findObject(found) ?? {};
  const inner = innerError(outer);
  // AWS uses both spellings of the name.
  const said = [inner.message, inner.Message, outer.error, outer.detail];
  const message = said.map(findText).find((text) => text !== undefined) ?? body.trim();
  return defined({
    message: message === '' ? `The provider answered ${status} without a message.` : message,
    type: inner === outer ? undefined : findText(inner.type),
    code: findErrorCode(inner),
    param: findText(inner.param),
    status,
  });
};
